import {
  type Author,
  type Excerpt,
  MAX_SEARCH_HITS,
  type OutlinePart,
  type SearchHit,
  type SearchQuery,
} from '@signalbox/protocol/hub';
import { MATCH_END, MATCH_START } from '../../said.ts';
import { type FoundPage, SEARCH_HITS, turnsInPart } from '../../search.ts';
import { type SearchTerm, searchTerms } from '../../search-terms.ts';
import { pageBounds, pageOf } from '../../sql/paging.ts';
import { storedJson } from '../../sql/stored-json.ts';
import type { Database } from '../database.ts';
import { personName, toolName } from './index-writer.ts';
import { firstRow } from './row-numbers.ts';

/** The words that an excerpt has at most, and its characters: a word may be long. */
const EXCERPT_WORDS = 24;
const EXCERPT_LENGTH = 400;

/** In so many sessions of a folder is looked by their words; in more, a hit is not far. */
const FOLDER_SESSIONS = 256;

interface HitRow {
  row: number;
  session: string;
  seq: number;
  time: number;
  kind: SearchHit['kind'];
  tool: string | null;
  author: string | null;
  excerpt: string;
}

/** Finds rows of an index. */
export class IndexReader {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    this.#queries = prepareQueries(database);
  }

  /** Raises `STORE_ARGUMENT`. */
  find(query: SearchQuery): Omit<FoundPage, 'isComplete'> {
    const { words, since = 0, until } = query;
    const terms = searchTerms(words);
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds({ limit: SEARCH_HITS, ...query });
    const held = this.#heldTo(query);
    if (!held) return { items: [] };
    const match = [`text : (${terms.map(termText).join(' AND ')})`, ...held.facets].join(' AND ');
    const end = until === undefined ? after : Math.min(after, firstRow(until));
    const most = Math.min(limit, MAX_SEARCH_HITS);
    const folder = held.isFolderLong ? (query.folder ?? null) : null;
    const rows = this.#queries.find.all([match, end, firstRow(since), folder, ...underOf(folder), most + 1]);
    return pageOf(rows, most, ({ row }) => row, hitOf);
  }

  /** The turns of a session, several in one part where there are many. */
  outline(session: string): OutlinePart[] {
    const { number } = this.#queries.session.get([session]) ?? {};
    if (number === undefined) return [];
    const all = this.#queries.prompts.get([number])?.count ?? 0;
    const step = turnsInPart(all);
    return this.#queries.outline.all([number, step]).map(({ seq, time, words, place }) => ({
      seq,
      time,
      turns: Math.min(step, all - place),
      words,
    }));
  }

  /** The words of `facets` that a row must have; undefined when no row has them. */
  #heldTo({
    session,
    folder,
    tool,
    person,
  }: SearchQuery): { facets: string[]; isFolderLong: boolean } | undefined {
    const facets: (string | undefined)[] = [];
    if (session !== undefined) facets.push(numbered('s', this.#queries.session.get([session])));
    if (tool !== undefined) facets.push(numbered('n', this.#queries.name.get([toolName(tool)])));
    if (person !== undefined) facets.push(numbered('n', this.#queries.name.get([personName(person)])));
    const inFolder =
      folder === undefined ? [] : this.#queries.inFolder.all([...underOf(folder), FOLDER_SESSIONS + 1]);
    const isFolderLong = inFolder.length > FOLDER_SESSIONS;
    if (folder !== undefined && !isFolderLong)
      facets.push(inFolder.map(({ number }) => `s${number}`).join(' OR ') || undefined);
    const known = facets.filter((words) => words !== undefined);
    if (known.length < facets.length) return undefined;
    return { facets: known.map((words) => `facets : (${words})`), isFolderLong };
  }
}

function numbered(kind: string, row: { number: number } | undefined): string | undefined {
  return row && `${kind}${row.number}`;
}

/** The folder itself, and the bounds of all that are below it. */
function underOf(folder: string | null): [string, string, string] {
  const path = (folder ?? '').replace(/\/+$/, '');
  return [path || '/', `${path}/`, `${path}0`];
}

/** In quotes, nothing of what somebody typed is an operator. */
function termText({ text, isPrefix }: SearchTerm): string {
  return `"${text.replaceAll('"', '""')}"${isPrefix ? ' *' : ''}`;
}

function hitOf({ session, seq, time, kind, tool, author, excerpt }: HitRow): SearchHit {
  const said: Author = author === null ? { by: 'agent' } : storedJson(author, 'an author of the index');
  return { session, seq, time, author: said, kind, tool, excerpt: excerptOf(excerpt) };
}

/** A text with marks, in one line, as its parts. */
export function excerptOf(marked: string): Excerpt {
  const parts: Excerpt = [];
  let room = EXCERPT_LENGTH;
  for (const [index, piece] of marked.replace(/\s+/g, ' ').split(MATCH_START).entries()) {
    const [match, rest] = index === 0 ? ['', piece] : piece.split(MATCH_END);
    for (const [text, isMatch] of [
      [match, true],
      [rest, false],
    ] as const) {
      // Of a long word before the match its end is shown, so that the match is in sight.
      const cut = index === 0 ? (text ?? '').slice(-EXCERPT_LENGTH / 2) : (text ?? '').slice(0, room);
      room -= cut.length;
      if (cut !== '') parts.push({ text: cut, isMatch });
    }
  }
  return parts;
}

function prepareQueries(database: Database) {
  const under = '(folder = ? OR folder >= ? AND folder < ?)';
  return {
    session: database.prepare<{ number: number }>('SELECT number FROM session WHERE id = ?'),
    name: database.prepare<{ number: number }>('SELECT number FROM name WHERE name = ?'),
    prompts: database.prepare<{ count: number }>('SELECT count(*) AS count FROM prompt WHERE session = ?'),
    outline: database.prepare<{ seq: number; time: number; words: string; place: number }>(
      `SELECT seq, time, words, place FROM (
          SELECT seq, time, words, row_number() OVER (ORDER BY seq) - 1 AS place FROM prompt WHERE session = ?
        ) WHERE place % ? = 0 ORDER BY seq`,
    ),
    inFolder: database.prepare<{ number: number }>(`SELECT number FROM session WHERE ${under} LIMIT ?`),
    find: database.prepare<HitRow>(
      `SELECT said.rowid AS row, session.id AS session, said.seq, said.time, kind, tool, author,
          snippet(said, 0, '${MATCH_START}', '${MATCH_END}', '…', ${EXCERPT_WORDS}) AS excerpt
        FROM said CROSS JOIN session ON session.number = said.session
        WHERE said MATCH ? AND said.rowid < CAST(? AS INTEGER) AND said.rowid >= CAST(? AS INTEGER)
          AND (? IS NULL OR ${under})
        ORDER BY said.rowid DESC LIMIT ?`,
    ),
  };
}
