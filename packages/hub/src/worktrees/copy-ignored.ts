import { constants, lstatSync, realpathSync } from 'node:fs';
import { copyFile, lstat, mkdir, statfs } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import { Git } from '@signalbox/transport/git';
import { PATIENT } from '../git/repository.ts';
import { WorktreeNotMadeError } from './worktree-errors.ts';

/**
 * Copy files that git ignores from one working tree to another, by patterns as in `.gitignore` from the top. Plain files
 * only, and nothing that is there already is written over.
 */
export async function copyIgnored(from: string, to: string, patterns: readonly string[]): Promise<void> {
  if (patterns.length === 0) return;
  const git = await Git.open(from, PATIENT);
  const wanted = patterns.map((pattern) => `:(top,glob)${pattern}`);
  const ignored = ['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--', ...wanted];
  const paths = (await git.text(ignored, { env: { GIT_LITERAL_PATHSPECS: '0' } }))
    .split('\0')
    .filter(Boolean);
  const [mostFiles, mostBytes] = [LIMITS.copiedFiles.most, LIMITS.copiedBytes.most];
  const files: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    const stats = await lstat(join(from, path)).catch(() => undefined);
    if (!stats?.isFile()) continue;
    files.push(path);
    bytes += stats.size;
    if (files.length > mostFiles)
      throw new WorktreeNotMadeError(to, `the patterns to copy fit more than ${mostFiles} files.`);
  }
  if (bytes > mostBytes)
    throw new WorktreeNotMadeError(to, `the files to copy have more than ${mostBytes} bytes.`);
  const { bavail, bsize } = await statfs(to);
  if (bytes > bavail * bsize)
    throw new WorktreeNotMadeError(to, 'No space left on device for the files to copy.');
  for (const path of files) await copyInto(to, from, path);
}

async function copyInto(to: string, from: string, path: string): Promise<void> {
  const target = join(to, path);
  // The base may have a link where the other tree has a folder: what is behind it is not ours to write.
  if (!isWithin(to, dirname(target))) return;
  await mkdir(dirname(target), { recursive: true });
  try {
    await copyFile(join(from, path), target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw error;
  }
}

/** Whether the part of a path that exists leads to a place in a folder. */
function isWithin(folder: string, path: string): boolean {
  const real = realpathSync(folder);
  for (let at = path; ; at = dirname(at)) {
    if (!lstatSync(at, { throwIfNoEntry: false })) continue;
    const leads = realpathSync(at);
    return leads === real || leads.startsWith(real + sep);
  }
}
