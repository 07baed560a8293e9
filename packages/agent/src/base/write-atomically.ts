import { constants, renameSync, type Stats } from 'node:fs';
import { access, chmod, chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { assertUnmoved } from './real-path.ts';
import { systemCode, ToolFailure } from './tool-failure.ts';

/** Where a new file cannot take the old one's place: the folder is read-only, or the file is a mount of its own. */
const NOT_REPLACEABLE = new Set(['EACCES', 'EPERM', 'EBUSY', 'EROFS']);

/**
 * Write a file as a whole or not at all, by its real path: a path that leads elsewhere by now is refused. The mode and,
 * where possible, the owner stay. A file with several names, or that cannot be replaced, is written in place. Says how
 * the file is afterwards.
 */
export async function writeAtomically(target: string, content: string): Promise<Stats> {
  assertUnmoved(target);
  const before = await stat(target).catch(() => undefined);
  if (before && !before.isFile()) throw new ToolFailure(`${target} is not a file.`);
  // Replacing a read-only file would go around its mode.
  if (before) await access(target, constants.W_OK);
  else await mkdir(dirname(target), { recursive: true });
  if (before && before.nlink > 1) await writeInPlace(target, content);
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
    // A rename by another name than the one that was judged would replace a file elsewhere.
    assertUnmoved(target);
    renameSync(draft, target);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    if (!before || !NOT_REPLACEABLE.has(systemCode(error) ?? '')) throw error;
    await writeInPlace(target, content);
  }
}

async function writeInPlace(target: string, content: string): Promise<void> {
  assertUnmoved(target);
  await writeFile(target, content, { flag: constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW });
}

async function keepOwner(draft: string, { uid, gid }: Stats): Promise<void> {
  const own = await stat(draft);
  if (own.uid === uid && own.gid === gid) return;
  // Only a privileged user may give a file away.
  await chown(draft, uid, gid).catch(() => {});
}
