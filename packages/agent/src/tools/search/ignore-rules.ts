import { dirname, join, relative } from 'node:path';
import { readPlainFile } from '@signalbox/transport/read-plain-file';
import ignore, { type Ignore } from 'ignore';

/** The .gitignore files that count for a folder: its own and those above it. */
export interface IgnoreScope {
  readonly folder: string;
  readonly rules: Ignore;
  readonly above: IgnoreScope | undefined;
}

/** The scope of a folder, given that of its parent. */
export function enterScope(folder: string, above: IgnoreScope | undefined): IgnoreScope | undefined {
  try {
    const text = readPlainFile(join(folder, '.gitignore'));
    return { folder, rules: ignore().add(text), above };
  } catch {
    return above;
  }
}

/** The scope that a folder is in, from the root of its repository down to its parent. */
export async function scopeAbove(folder: string, repository: string): Promise<IgnoreScope | undefined> {
  if (folder === repository) return undefined;
  const parent = dirname(folder);
  return enterScope(parent, await scopeAbove(parent, repository));
}

/** The nearest file that has something to say about a path decides. */
export function isIgnored(path: string, isFolder: boolean, scope: IgnoreScope | undefined): boolean {
  for (let at = scope; at; at = at.above) {
    const { ignored, unignored } = at.rules.test(relative(at.folder, path) + (isFolder ? '/' : ''));
    if (ignored || unignored) return ignored;
  }
  return false;
}
