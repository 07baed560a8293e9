import { isAbsolute, relative } from 'node:path';

/** A path as it is shown: from the working directory on, or absolute where it is elsewhere. */
export function shownPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return way === '..' || way.startsWith('../') || isAbsolute(way) ? path : way;
}
