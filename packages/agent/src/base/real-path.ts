import { resolve, sep } from 'node:path';
import { LinkLoopError, SignalboxError } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';

/** A path leads elsewhere than when it was judged. */
export class PathMovedError extends SignalboxError {
  constructor(judged: string, now: string) {
    super(
      'PATH_MOVED',
      `${judged} was permitted, but leads to ${now} now: a folder or file on the way was replaced by a link. Nothing was done.`,
    );
  }
}

/** The files that paths mean from a folder; what is judged and acted on. Throws `LinkLoopError`. */
export function realPaths(paths: readonly string[], cwd: string): string[] {
  return paths.map((path) => realPath(resolve(cwd, path)));
}

/** The working directories, the first one first. One that is a loop of links holds nothing. */
export function realFolders(folders: readonly string[], cwd: string): string[] {
  return folders.flatMap((folder) => {
    try {
      return realPaths([folder], cwd);
    } catch (error) {
      if (error instanceof LinkLoopError) return [];
      throw error;
    }
  });
}

/** Throws {@link PathMovedError} unless a real path is still one: call it right before it is used. */
export function assertUnmoved(path: string): void {
  const now = realPath(path);
  if (now !== path) throw new PathMovedError(path, now);
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
