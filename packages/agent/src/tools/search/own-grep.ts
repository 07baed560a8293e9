import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { globMatcher } from '../../base/glob.ts';
import { ToolFailure } from '../../base/tool-failure.ts';
import { namesOfType } from './file-types.ts';
import type { GrepQuery } from './grep-query.ts';
import { findLines, showLines } from './grep-text.ts';
import { scopeAbove } from './ignore-rules.ts';
import { searchRegExp } from './search-regexp.ts';
import { shownPath } from './shown-path.ts';
import { withinTime } from './time-limit.ts';
import { walkFiles } from './walk-files.ts';

/** Larger files are not searched: they would have to be in memory as a whole. */
export const MAX_SEARCHED_BYTES = 32 * 1024 * 1024;

/** How many files are read at a time, and how long they may be searched. */
const FILES_AT_ONCE = 8;
const SEARCH_TIMEOUT_MS = 5000;

/** What ripgrep would find, without it: the same files, lines and order. */
export async function* ownGrep(
  query: GrepQuery,
  { signal }: { signal: AbortSignal },
): AsyncGenerator<string> {
  const regExp = searchRegExp(query.pattern, query);
  const files = query.rootIsFile ? [query.root] : await filesFor(query, signal);
  const hasName = !query.rootIsFile || query.mode !== 'content';
  const hasContext = query.mode === 'content' && query.before + query.after > 0;
  let isFirst = true;
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    signal.throwIfAborted();
    const batch = files.slice(at, at + FILES_AT_ONCE);
    const texts = await Promise.all(batch.map(readText));
    const search = () =>
      texts.map((text) => (text === undefined ? undefined : findLines(text, regExp, query)));
    const results = withinTime(SEARCH_TIMEOUT_MS, search, () => tooSlow(query.pattern));
    for (const [index, found] of results.entries()) {
      if (!found) continue;
      const name = shownPath(batch[index] ?? '', query.cwd);
      if (query.mode === 'files_with_matches') yield name;
      else if (query.mode === 'count') yield `${name}:${found.matches}`;
      else {
        if (hasContext && !isFirst) yield '--';
        yield* showLines(found, hasName ? name : undefined, query);
      }
      isFirst = false;
    }
  }
}

/** In the order of their names, folder by folder, so that one page of results follows the other. */
async function filesFor(
  { root, cwd, glob, type, mayShow }: GrepQuery,
  signal: AbortSignal,
): Promise<string[]> {
  const byGlob = glob === undefined ? undefined : globFilter(glob, cwd);
  const typeNames = type === undefined ? undefined : namesOfType(type).map(globMatcher);
  const repository = repositoryOf(root);
  const files: string[] = [];
  const walk = walkFiles(root, {
    signal,
    ...(repository === undefined ? {} : { ignore: { scope: await scopeAbove(root, repository) } }),
    // As in ripgrep: what is asked for by name is searched even if it is ignored.
    keepsFile: (path) => byGlob?.isWanted(path) ?? false,
  });
  for await (const file of walk) {
    if (byGlob && !byGlob.accepts(file)) continue;
    if (typeNames && !typeNames.some((matches) => matches(basename(file)))) continue;
    if (mayShow && !mayShow(file)) continue;
    files.push(file);
  }
  return files
    .map((file) => file.replaceAll('/', '\0'))
    .toSorted()
    .map((file) => file.replaceAll('\0', '/'));
}

function globFilter(glob: string, cwd: string) {
  const isExclusion = glob.startsWith('!');
  const body = isExclusion ? glob.slice(1) : glob;
  const fits = globMatcher(body.includes('/') ? body.replace(/^\//, '') : `**/${body}`);
  const matches = (path: string): boolean => fits(relative(cwd, path));
  return {
    accepts: (path: string) => matches(path) !== isExclusion,
    isWanted: (path: string) => !isExclusion && matches(path),
  };
}

function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}

/** The text of a file; undefined where it is binary, too large, or cannot be read. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > MAX_SEARCHED_BYTES) return undefined;
    const bytes = await readFile(path);
    return bytes.includes(0) ? undefined : bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

function tooSlow(pattern: string): ToolFailure {
  return new ToolFailure(
    `Searching for ${pattern} takes too long: it has parts that can match the same text in many ways, like (a+)+. Make it simpler.`,
  );
}
