import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where installers put `claude` when they leave PATH alone, below the home folder. */
const USUAL_FOLDERS = [
  '.npm-global/bin',
  '.local/bin',
  'node_modules/.bin',
  '.yarn/bin',
  '.claude/local',
  '.bun/bin',
];

/** Where `claude` may be, first of all in PATH. */
export function placesOfClaude(env: NodeJS.ProcessEnv): string[] {
  const { HOME = homedir() } = env;
  const usual = [...USUAL_FOLDERS.map((folder) => join(HOME, folder)), '/usr/local/bin'];
  return [...placesInPath('claude', env), ...placesIn(usual, 'claude')];
}

/** Where a shell would look for a program. */
export function placesInPath(name: string, { PATH = '' }: NodeJS.ProcessEnv): string[] {
  return placesIn(PATH.split(delimiter).filter(Boolean), name);
}

/** Whether a file is there: no folder, and no link to nowhere. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function placesIn(folders: readonly string[], name: string): string[] {
  const files = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  return folders.flatMap((folder) => files.map((file) => join(folder, file)));
}
