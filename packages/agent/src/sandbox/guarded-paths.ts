import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROTECTED_FILES } from '../permission/protected-paths.ts';
import type { Placeholder } from './placeholders.ts';

/** Where programs keep keys and passwords, below the home folder. */
const CREDENTIALS = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker/config.json',
  '.config/gcloud',
  '.config/gh',
  '.config/git/credentials',
  '.config/op',
  '.git-credentials',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.password-store',
  '.local/share/keyrings',
  '.claude.json',
];

/** What commands cannot read, unless a person says so. */
export function credentialPaths(home: string, configDir: string, env: NodeJS.ProcessEnv): string[] {
  return [
    // With the token and the socket of a hub, whoever reaches both can run anything without a sandbox.
    env.SIGNALBOX_HOME || join(home, '.signalbox'),
    ...CREDENTIALS.map((name) => join(home, name)),
    join(configDir, '.credentials.json'),
    join(configDir, '.claude.json'),
    '/etc/shadow',
    '/etc/gshadow',
  ];
}

/** Folders whose files agents, git and editors run. */
const OBEYED_FOLDERS = ['.claude', '.husky', '.vscode', '.idea'];

/** What commands cannot write although it lies in a folder they work in: what decides what runs later. */
export function protectedPaths(folder: string): string[] {
  const inGit = isFolder(join(folder, '.git')) ? ['.git/hooks', '.git/config', '.git/modules'] : [];
  return [...inGit, ...OBEYED_FOLDERS, ...PROTECTED_FILES].map((name) => join(folder, name));
}

/** What counts in the home folder alone, with a content that changes nothing for whoever reads it. */
const HOME_FILES: Readonly<Record<string, string>> = {
  '.bashrc': '',
  // Bash reads the first of these three and no other.
  '.bash_profile':
    'if [ -r ~/.bash_login ]; then . ~/.bash_login; elif [ -r ~/.profile ]; then . ~/.profile; fi\n',
  '.bash_login': 'if [ -r ~/.profile ]; then . ~/.profile; fi\n',
  '.profile': '',
  '.bash_logout': '',
  '.zshrc': '',
  '.zshenv': '',
  '.zprofile': '',
  '.zlogin': '',
  '.zlogout': '',
  '.gitconfig': '',
  '.npmrc': '',
  '.claude.json': '{}\n',
};

/** What commands cannot write where they may write to the home folder. */
export function protectedInHome(home: string): string[] {
  return Object.keys(HOME_FILES).map((name) => join(home, name));
}

/** Folders that must be there to be protected: what is missing could be made, and would count. */
export function folderPlaceholders(folder: string): Placeholder[] {
  const inGit = isFolder(join(folder, '.git')) ? ['.git/hooks'] : [];
  return [...inGit, ...OBEYED_FOLDERS]
    .map((name) => ({ path: join(folder, name) }))
    .filter(({ path }) => !existsSync(path));
}

/** The same for files that count by themselves. Each is held by a folder, which git does not see and nobody obeys. */
export function filePlaceholders(folder: string): Placeholder[] {
  const inGit = isFolder(join(folder, '.git')) ? ['.gitmodules'] : [];
  return ['.mcp.json', '.npmrc', ...inGit]
    .map((name) => ({ path: join(folder, name) }))
    .filter(({ path }) => !existsSync(path) || isFolder(path));
}

/** The same for files of the home folder. */
export function homePlaceholders(home: string): Placeholder[] {
  return Object.entries(HOME_FILES).map(([name, content]) => ({ path: join(home, name), content }));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
