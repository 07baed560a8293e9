import { basename, sep } from 'node:path';

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

/** Whether a file is one of those that no mode but `bypassPermissions` lets an agent change unasked. */
export function isProtected(path: string): boolean {
  const folders = path.split(sep).slice(0, -1);
  return PROTECTED_FILES.has(basename(path)) || folders.some((name) => PROTECTED_FOLDERS.includes(name));
}
