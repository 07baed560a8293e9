import { resolve } from 'node:path';
import { isFile, placesInPath } from '@signalbox/transport/stdio';

/**
 * How people call this program in any terminal of this machine: by its name where a shell finds that, else by its file,
 * and for the data that is used here.
 */
export function ownCommand(env: NodeJS.ProcessEnv = process.env, file = process.argv[1] ?? ''): string {
  const isInPath = file === '' || placesInPath('signalbox', env).some(isFile);
  const home = env.SIGNALBOX_HOME ? `SIGNALBOX_HOME=${shellWord(resolve(env.SIGNALBOX_HOME))} ` : '';
  return `${home}${isInPath ? 'signalbox' : shellWord(resolve(file))}`;
}

/** A word as a shell takes it for one. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
