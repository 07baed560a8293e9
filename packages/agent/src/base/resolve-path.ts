import { join, resolve } from 'node:path';

/** The absolute path that somebody means by a path in a folder; `~` is their home. */
export function resolvePath(path: string, { cwd, home }: { cwd: string; home: string }): string {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1));
  return resolve(cwd, path);
}
