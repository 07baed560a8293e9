import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { globToRegExp } from './glob-pattern.ts';

/** One line of a .gitignore. */
interface IgnoreRule {
  readonly pattern: RegExp;
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
}

/** The .gitignore files that count for a folder: its own and those above it. */
export interface IgnoreScope {
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
  readonly above: IgnoreScope | undefined;
}

/** The scope of a folder, given that of its parent. */
export async function enterScope(
  folder: string,
  above: IgnoreScope | undefined,
): Promise<IgnoreScope | undefined> {
  const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => undefined);
  return text === undefined ? above : { folder, rules: parseRules(text), above };
}

/** The scope that a folder is in, from the root of its repository down to its parent. */
export async function scopeAbove(folder: string, repository: string): Promise<IgnoreScope | undefined> {
  if (folder === repository) return undefined;
  const parent = dirname(folder);
  return enterScope(parent, await scopeAbove(parent, repository));
}

/** The nearest file that has something to say about a path decides, in it the last rule. */
export function isIgnored(path: string, isFolder: boolean, scope: IgnoreScope | undefined): boolean {
  for (let at = scope; at; at = at.above) {
    const name = relative(at.folder, path);
    const rule = at.rules.findLast(
      ({ pattern, foldersOnly }) => (isFolder || !foldersOnly) && pattern.test(name),
    );
    if (rule) return !rule.isNegated;
  }
  return false;
}

function parseRules(text: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.replace(/(?<!\\)\s+$/, '');
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    const isNegated = trimmed.startsWith('!');
    const body = isNegated ? trimmed.slice(1) : trimmed;
    const foldersOnly = body.endsWith('/');
    const names = foldersOnly ? body.slice(0, -1) : body;
    const pattern = names.includes('/') ? names.replace(/^\//, '') : `**/${names}`;
    // Braces are no alternatives here.
    const glob = pattern.replaceAll(/[{}]/g, '\\$&');
    return [{ pattern: globToRegExp(glob), isNegated, foldersOnly }];
  });
}
