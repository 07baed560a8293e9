import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROTECTED_FILES } from '../permission/protected-paths.ts';

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

/** A folder that must be there to be protected: what is missing could be made, and would count. */
export function placeholderPaths(folder: string): string[] {
  const inGit = isFolder(join(folder, '.git')) ? ['.git/hooks'] : [];
  return [...inGit, ...OBEYED_FOLDERS].map((name) => join(folder, name)).filter((path) => !existsSync(path));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
