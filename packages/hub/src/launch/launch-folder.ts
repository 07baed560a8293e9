import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { FolderNotFoundError } from './launch-errors.ts';

/** The whole path of a folder as people name it: `~` is the home of whoever runs the hub. Raises `FOLDER_NOT_FOUND`. */
export function launchFolder(named: string, home = homedir()): string {
  const isHome = named === '~' || named.startsWith('~/');
  if (named.startsWith('~') && !isHome)
    throw new FolderNotFoundError(named, 'Only ~ and ~/… are known, the home of whoever runs the hub.');
  const folder = isHome ? join(home, named.slice(1)) : named;
  if (!isAbsolute(folder)) throw new FolderNotFoundError(folder, 'Name one by its whole path, or from ~/.');
  if (!isFolder(folder))
    throw new FolderNotFoundError(folder, 'Name one that exists, by its whole path or from ~/.');
  return folder;
}

/** False as well where the hub may not look, or for what is no path at all. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
