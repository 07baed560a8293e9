import { opendir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import { GitTimeoutError } from '@signalbox/transport/git';
import { Repository } from '../changes/repository.ts';

/** The files of a folder, as paths from it. */
export interface ListedFiles {
  paths: string[];
  isCut: boolean;
}

/** What nobody means who names a file, in a folder that no git knows. */
const LEFT_OUT = new Set(['node_modules', '__pycache__', 'venv', 'target', 'vendor']);

/** Its files, without what git ignores; where there is no repository, without hidden ones and what packages bring along. */
export async function listedFiles(folder: string): Promise<ListedFiles> {
  const repository = await Repository.open(folder).catch((error: unknown) => {
    // A repository whose files are elsewhere, or that git does not touch: the folder is there all the same.
    if (error instanceof GitTimeoutError) throw error;
    return undefined;
  });
  return repository ? filesOfGit(repository, folder) : filesBelow(folder);
}

async function filesOfGit({ git, root }: Repository, folder: string): Promise<ListedFiles> {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--'];
  const below = relative(root, await realpath(folder));
  const { stdout, isCut } = await git.run([...words, below === '' ? '.' : below], {
    env: { GIT_LITERAL_PATHSPECS: '1' },
  });
  const { most } = LIMITS.listedFiles;
  const all = stdout.toString().split('\0');
  // Behind the last end there is nothing, or half of a path.
  all.pop();
  // One that ends so is another repository.
  const paths = all
    .filter((path) => !path.endsWith('/'))
    .map((path) => (below === '' ? path : path.slice(below.length + 1)));
  return { paths: paths.slice(0, most), isCut: isCut || paths.length > most };
}

/** Links are not followed: they may lead out of the folder, or around in a circle. */
async function filesBelow(folder: string): Promise<ListedFiles> {
  const { most } = LIMITS.listedFiles;
  const paths: string[] = [];
  const waiting = [''];
  let looked = 0;
  let bytes = 0;
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    const entries = await opendir(join(folder, below)).catch(() => undefined);
    if (!entries) continue;
    for await (const entry of entries) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      looked += 1;
      bytes += path.length;
      // Files far down have long paths: as much is kept as git may say of a repository.
      if (looked > most || bytes > LIMITS.gitOutputBytes.most) return { paths, isCut: true };
      if (entry.name.startsWith('.') || LEFT_OUT.has(entry.name)) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) paths.push(path);
    }
  }
  return { paths, isCut: false };
}
