import { constants, type Stats } from 'node:fs';
import { access, chmod, chown, lstat, mkdir, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { systemCode, ToolFailure } from './tool-failure.ts';

/** A chain of links this long leads nowhere. */
const MAX_LINKS = 40;

/** Where a new file cannot take the old one's place: the folder is read-only, or the file is a mount of its own. */
const NOT_REPLACEABLE = new Set(['EACCES', 'EPERM', 'EBUSY', 'EROFS']);

/**
 * Write a file as a whole or not at all. Links are followed; the mode and, where possible, the owner stay. A file
 * with several names, or that cannot be replaced, is written in place. Says how the file is afterwards.
 */
export async function writeAtomically(path: string, content: string): Promise<Stats> {
  const target = await linkTarget(path);
  const before = await stat(target).catch(() => undefined);
  if (before && !before.isFile()) throw new ToolFailure(`${path} is not a file.`);
  // Replacing a read-only file would go around its mode.
  if (before) await access(target, constants.W_OK);
  else await mkdir(dirname(target), { recursive: true });
  if (before && before.nlink > 1) await writeFile(target, content);
  else await replace(target, content, before);
  return stat(target);
}

async function replace(target: string, content: string, before: Stats | undefined): Promise<void> {
  const draft = join(dirname(target), `.${basename(target).slice(0, 100)}.${crypto.randomUUID()}`);
  try {
    await writeFile(draft, content, { flag: 'wx', mode: before ? 0o600 : 0o666 });
    if (before) {
      await keepOwner(draft, before);
      await chmod(draft, before.mode);
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    if (!before || !NOT_REPLACEABLE.has(systemCode(error) ?? '')) throw error;
    await writeFile(target, content);
  }
}

async function keepOwner(draft: string, { uid, gid }: Stats): Promise<void> {
  const own = await stat(draft);
  if (own.uid === uid && own.gid === gid) return;
  // Only a privileged user may give a file away.
  await chown(draft, uid, gid).catch(() => {});
}

/** Where a path leads, also when the last link of the chain points at nothing yet. */
async function linkTarget(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const found = await lstat(target).catch(() => undefined);
    if (!found?.isSymbolicLink()) return target;
    target = resolve(dirname(target), await readlink(target));
  }
  throw new ToolFailure(`${path} is a loop of symbolic links.`);
}
