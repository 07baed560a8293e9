import { sep } from 'node:path';
import { foldName } from '@signalbox/protocol';

/** Folders whose content decides what runs later: a change there is always asked about. */
const PROTECTED_FOLDERS = ['.git', '.claude', '.vscode', '.idea', '.husky', '.ssh', '.gnupg'];

/** Files that shells, git and package managers run or obey. */
export const PROTECTED_FILES: ReadonlySet<string> = new Set([
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.gitconfig',
  '.gitmodules',
  '.npmrc',
  '.ripgreprc',
  '.mcp.json',
  '.claude.json',
]);

/**
 * Whether a file is one of those that no mode but `bypassPermissions` lets an agent change unasked. Some file systems
 * take `.GIT` for `.git`, and which one a path is on need not be known.
 */
export function isProtected(path: string): boolean {
  const folders = foldName(path).split(sep);
  const name = folders.pop() ?? '';
  // A file `.git` names the folder with git's settings.
  return (
    name === '.git' ||
    PROTECTED_FILES.has(name) ||
    folders.some((folder) => PROTECTED_FOLDERS.includes(folder))
  );
}
