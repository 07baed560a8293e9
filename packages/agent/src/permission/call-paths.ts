import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import type { Tool } from '../tools/tool.ts';

/** Where a path really leads, also when its last parts do not exist yet. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The files that a call is about to touch, with links followed: a link out of the folder is outside of it. */
export function callPaths(tool: Tool, input: JsonObject, cwd: string): string[] {
  return tool.paths(input).map((path) => realPath(resolve(cwd, path)));
}
