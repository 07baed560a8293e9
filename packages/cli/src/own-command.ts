import { relative } from 'node:path';
import { isFile, placesInPath } from '@signalbox/transport/stdio';

/** How people call this program here: by its name where a shell finds that, else by its file. */
export function ownCommand(env: NodeJS.ProcessEnv = process.env, file = process.argv[1] ?? ''): string {
  if (file === '' || placesInPath('signalbox', env).some(isFile)) return 'signalbox';
  const near = relative('', file);
  return near.startsWith('..') ? file : near;
}
