import {
  type FoundPage,
  type RecordedLine,
  type Said,
  SEARCH_HITS,
  type SearchTerm,
  saidIn,
  searchTerms,
} from '@signalbox/hub/store';
import type { Excerpt, SearchHit, SearchQuery } from '@signalbox/protocol/hub';
import { pageOf } from './page.ts';
import type { Row, SessionRow, Tables } from './tables.ts';

/** How much of a text is shown around what was found. */
const AROUND = 80;

interface Word {
  text: string;
  start: number;
  end: number;
}

/** Looks through all lines each time. */
export class MemorySearch {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  find(query: SearchQuery): FoundPage {
    const terms = searchTerms(query.words);
    const hits = [...this.#tables.sessions.values()].flatMap(({ value }) => hitsIn(value, terms, query));
    const rows: Row<SearchHit>[] = hits
      .toSorted((one, other) => one.time - other.time)
      .map((value, index) => ({ number: index, value }));
    return { ...pageOf(rows, { limit: SEARCH_HITS, ...query }, 'newest'), isComplete: true };
  }
}

function hitsIn(
  { session, isImporting, lines }: SessionRow,
  terms: readonly SearchTerm[],
  query: SearchQuery,
): SearchHit[] {
  const { id, folder } = session;
  if (isImporting || (query.session ?? id) !== id || !isUnder(folder, query.folder)) return [];
  const tools = new Map<string, string>();
  return lines.flatMap(({ entry }) =>
    saidIn(entry.line.bytes()).flatMap((said) => {
      if (said.tool && said.call) tools.set(said.call, said.tool);
      const tool = said.tool ?? tools.get(said.call ?? '') ?? null;
      const excerpt = fits(entry, tool, query) ? excerptOf(said, terms) : undefined;
      if (!excerpt) return [];
      const { seq, time, author } = entry;
      return [{ session: id, seq, time, author, kind: said.kind, tool, excerpt }];
    }),
  );
}

function isUnder(folder: string | null, above = '/'): boolean {
  return above === '/' || `${folder}/`.startsWith(`${above.replace(/\/+$/, '')}/`);
}

function fits({ time, author }: RecordedLine, tool: string | null, query: SearchQuery): boolean {
  const { since = 0, until = Number.MAX_SAFE_INTEGER, person } = query;
  if (time < since || time >= until) return false;
  if (query.tool && tool?.toLowerCase() !== query.tool.toLowerCase()) return false;
  return !person || (author.by === 'person' && author.name.toLowerCase() === person.toLowerCase());
}

/** The first place of each term, and what stands around them; undefined when one is missing. */
function excerptOf({ text }: Said, terms: readonly SearchTerm[]): Excerpt | undefined {
  const words = wordsIn(text);
  const places = terms.map((term) => placeOf(words, term));
  const found = places
    .filter((place) => place !== undefined)
    .toSorted((one, other) => one.start - other.start);
  const [first] = found;
  if (found.length < terms.length || !first) return undefined;
  const from = Math.max(0, first.start - AROUND);
  const parts: Excerpt = [];
  let at = from;
  for (const { start, end } of found) {
    if (start < at) continue;
    parts.push(
      { text: text.slice(at, start), isMatch: false },
      { text: text.slice(start, end), isMatch: true },
    );
    at = end;
  }
  parts.push({ text: text.slice(at, at + AROUND), isMatch: false });
  return parts
    .map((part) => ({ ...part, text: part.text.replace(/\s+/g, ' ') }))
    .filter((part) => part.text !== '');
}

function placeOf(
  words: readonly Word[],
  { text, isPrefix }: SearchTerm,
): { start: number; end: number } | undefined {
  const wanted = wordsIn(text);
  const at = words.findIndex((_, index) =>
    wanted.every((word, offset) => {
      const there = words[index + offset]?.text;
      return isPrefix && offset === wanted.length - 1 ? there?.startsWith(word.text) : there === word.text;
    }),
  );
  const [first, last] = [words[at], words[at + wanted.length - 1]];
  return first && last && { start: first.start, end: last.end };
}

function wordsIn(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    text: word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}
