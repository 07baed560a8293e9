import { lstat, readdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { namesOf } from './act-on-files.ts';
import { ChangeInWayError } from './changes-errors.ts';
import type { Repository } from './repository.ts';
import type { StatusFile } from './status.ts';

/**
 * Git removes whatever is where a file is to come back: a whole folder with all that is in it, or a file that has the name of the
 * folder above. Nothing of that would be kept. Raises `CHANGE_IN_WAY`, unless it is discarded as well.
 */
export async function assertNothingInWay({ root }: Repository, files: readonly StatusFile[]): Promise<void> {
  const isNamed = new Set(files.filter(({ state }) => state === 'untracked').map(({ path }) => path));
  const tracked = files.filter(({ state }) => state !== 'untracked').flatMap(namesOf);
  for (const path of tracked) {
    const other = (await fileAbove(root, path)) ?? (await otherFileIn(root, path, isNamed));
    if (other !== undefined && !isNamed.has(other)) throw new ChangeInWayError(path, other);
  }
}

/** A file that has the name of a folder on the way to a path. */
async function fileAbove(root: string, path: string): Promise<string | undefined> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const stats = await lstat(join(root, folder)).catch(() => undefined);
    // What is behind a link is refused before anything is kept.
    if (stats && !stats.isDirectory() && !stats.isSymbolicLink()) return folder;
  }
  return undefined;
}

/** Something in a folder that has the name of a path, beside what is known. */
export async function otherFileIn(
  root: string,
  path: string,
  isKnown: ReadonlySet<string>,
): Promise<string | undefined> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const inner = join(path, entry.name);
    if (!entry.isDirectory()) {
      if (!isKnown.has(inner)) return inner;
      continue;
    }
    const found = await otherFileIn(root, inner, isKnown);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Remove a folder in which there are only folders. */
export async function removeEmptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await removeEmptyFolder(join(folder, name));
  await rmdir(folder);
}
