import { cutLine, type GrepQuery } from './grep-query.ts';
import { looksAround } from './search-regexp.ts';

/** The lines of a text in which something was found. */
export interface FoundLines {
  readonly lines: readonly string[];
  /** Which of them, from 0, in order. */
  readonly hits: readonly number[];
  readonly matches: number;
}

/** Find the lines that match; undefined when there are none. */
export function findLines(text: string, regExp: RegExp, query: GrepQuery): FoundLines | undefined {
  // Most files hold nothing: one look at the whole text is faster than one at every line.
  const canSkip = query.isMultiline || !looksAround(query.pattern);
  if (canSkip && text.search(regExp) < 0) return undefined;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const found = query.isMultiline ? findAcross(text, regExp, lines) : findWithin(lines, regExp);
  return found.hits.length > 0 ? { lines, ...found } : undefined;
}

function findWithin(lines: readonly string[], regExp: RegExp): Pick<FoundLines, 'hits' | 'matches'> {
  const hits: number[] = [];
  for (const [at, line] of lines.entries()) {
    regExp.lastIndex = 0;
    if (regExp.test(line.endsWith('\r') ? line.slice(0, -1) : line)) hits.push(at);
  }
  return { hits, matches: hits.length };
}

function findAcross(
  text: string,
  regExp: RegExp,
  lines: readonly string[],
): Pick<FoundLines, 'hits' | 'matches'> {
  const hits: number[] = [];
  let matches = 0;
  let at = 0;
  let start = 0;
  regExp.lastIndex = 0;
  for (const match of text.matchAll(regExp)) {
    matches += 1;
    const end = match.index + Math.max(match[0].length, 1);
    // From the line in which the match begins to the one in which it ends.
    while (at < lines.length && start + (lines[at]?.length ?? 0) + 1 <= match.index) {
      start += (lines[at]?.length ?? 0) + 1;
      at += 1;
    }
    let lineStart = start;
    for (let line = at; line < lines.length && lineStart < end; line += 1) {
      if (line > (hits.at(-1) ?? -1)) hits.push(line);
      lineStart += (lines[line]?.length ?? 0) + 1;
    }
  }
  return { hits, matches };
}

/** What was found, as it is shown; `--` stands between lines that do not follow each other. */
export function* showLines(
  { lines, hits }: FoundLines,
  name: string | undefined,
  { before, after, hasLineNumbers }: GrepQuery,
): Generator<string> {
  const isHit = new Set(hits);
  let shownTo = -1;
  for (const hit of hits) {
    const from = Math.max(shownTo + 1, hit - before);
    if (before + after > 0 && shownTo >= 0 && from > shownTo + 1) yield '--';
    const to = Math.min(lines.length - 1, hit + after);
    for (let at = from; at <= to; at += 1) {
      const sign = isHit.has(at) ? ':' : '-';
      const marks = [name, hasLineNumbers ? at + 1 : undefined].filter((mark) => mark !== undefined);
      yield cutLine(marks.map((mark) => `${mark}${sign}`).join('') + (lines[at] ?? ''));
    }
    shownTo = Math.max(shownTo, to);
  }
}
