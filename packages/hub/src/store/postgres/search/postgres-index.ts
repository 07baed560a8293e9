import type { Author, OutlinePart, SearchHit, SearchQuery } from '@signalbox/protocol/hub';
import { excerptAround } from '../../excerpt.ts';
import type { Entry, RecordedLine } from '../../record.ts';
import { saidIn } from '../../said.ts';
import { type FoundPage, outlineWords, turnsInPart } from '../../search.ts';
import { type SearchTerm, searchTerms } from '../../search-terms.ts';
import { unpackWindow } from '../../sql/packed-window.ts';
import type { SaidIndex } from '../../sql/search/searcher.ts';
import { Statement } from '../../sql/statement.ts';
import { storedJson } from '../../sql/stored-json.ts';
import { SessionNotFoundError } from '../../store-errors.ts';
import type { DatabaseAddress } from '../database-address.ts';
import { PostgresConnection } from '../postgres-connection.ts';
import { storeErrorFor } from '../postgres-errors.ts';
import { PostgresRecord } from '../postgres-record.ts';
import { PostgresUpdates } from '../postgres-updates.ts';
import { LOCKS } from '../schema.ts';
import { saidPage, tsqueryOf, vectorOf } from './said-query.ts';

/** Entries of one session that are indexed at once. */
const SLICE_ENTRIES = 500;

/** Sessions that are looked at before the next are asked for. */
const PAGE_SESSIONS = 64;

interface HitRow {
  number: number;
  session: string;
  seq: number;
  time: number;
  kind: SearchHit['kind'];
  tool: string | null;
  author: string | null;
  text: string;
}

const QUERIES = {
  position: new Statement<{ position: number }>('SELECT position FROM indexed'),
  notePosition: new Statement('UPDATE indexed SET position = ?'),
  session: new Statement<{ number: number; seq: number }>(
    `SELECT session.number, coalesce(indexed_session.seq, 0) AS seq FROM session
      LEFT JOIN indexed_session ON indexed_session.session = session.number WHERE session.id = ?`,
  ),
  noteSession: new Statement(
    'INSERT INTO indexed_session VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET seq = excluded.seq',
  ),
  toolOf: new Statement<{ tool: string | null }>(
    `SELECT tool FROM said WHERE session = ? AND call = ? AND kind = 'call' LIMIT 1`,
  ),
  /** A slice at once. */
  add: new Statement(
    `INSERT INTO said (session, seq, time, kind, tool, tool_name, call, author, person, text, words)
      SELECT session.number, v.seq, v.time, v.kind, v.tool, v.tool_name, v.call, v.author, v.person, v.text,
        CAST(v.words AS tsvector)
      FROM session, unnest(CAST(? AS bigint[]), CAST(? AS double precision[]), CAST(? AS text[]), CAST(? AS text[]),
        CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]))
        AS v (seq, time, kind, tool, tool_name, call, author, person, text, words)
      WHERE session.number = ?`,
  ),
  addPrompts: new Statement(
    `INSERT INTO said_prompt (session, seq, time, words)
      SELECT session.number, v.seq, v.time, v.words
      FROM session, unnest(CAST(? AS bigint[]), CAST(? AS double precision[]), CAST(? AS text[])) AS v (seq, time, words)
      WHERE session.number = ? ON CONFLICT DO NOTHING`,
  ),
  prompts: new Statement<{ number: number; trimmed: number; count: number }>(
    `SELECT session.number, session.trimmed, (SELECT count(*) FROM said_prompt
        WHERE said_prompt.session = session.number AND said_prompt.seq > session.trimmed) AS count
      FROM session WHERE session.id = ? AND session.state <> 'importing'`,
  ),
  outline: new Statement<{ seq: number; time: number; words: string; place: number }>(
    `SELECT seq, time, words, place FROM (
        SELECT seq, time, words, row_number() OVER (ORDER BY seq) - 1 AS place FROM said_prompt
        WHERE session = ? AND seq > ?
      ) AS counted WHERE place % ? = 0 ORDER BY seq`,
  ),
  find: new Statement<HitRow>(
    `SELECT said.number, session.id AS session, said.seq, said.time, kind, tool, author, text FROM said
      JOIN session ON session.number = said.session
      WHERE words @@ CAST(? AS tsquery) AND session.state <> 'importing' AND said.seq > session.trimmed
        AND (said.time < ? OR (said.time = ? AND said.number < ?)) AND said.time >= ? AND said.time < ?
        AND (CAST(? AS text) IS NULL OR session.id = ?)
        AND (CAST(? AS text) IS NULL OR tool_name = ?)
        AND (CAST(? AS text) IS NULL OR person = ?)
        AND (CAST(? AS text) IS NULL OR text_at(session.facts, 'folder') = ?
          OR starts_with(text_at(session.facts, 'folder'), ?))
      ORDER BY said.time DESC, said.number DESC LIMIT ?`,
  ),
};

/** What was said, in a table with PostgreSQL's own index of words. It follows the updates of all sessions. */
export class PostgresIndex implements SaidIndex {
  readonly #address: DatabaseAddress;
  readonly #record = new PostgresRecord(0);
  readonly #updates = new PostgresUpdates();
  #connection: PostgresConnection | undefined;
  /** Searches do not wait for what is being indexed. */
  #reading: PostgresConnection | undefined;

  constructor(address: DatabaseAddress) {
    this.#address = address;
  }

  async catchUp(pause: () => Promise<void>): Promise<void> {
    try {
      if (!this.#connection || this.#connection.isEnded)
        this.#connection = await PostgresConnection.open(this.#address);
      await this.#follow(this.#connection, pause);
    } catch (error) {
      throw storeErrorFor(error, this.#address.shown);
    }
  }

  async find(query: SearchQuery): Promise<Omit<FoundPage, 'isComplete'>> {
    const terms = searchTerms(query.words);
    const { time, number, limit } = saidPage(query);
    const { session = null, folder = null, since = 0, until = Number.MAX_SAFE_INTEGER } = query;
    const [tool, person] = [query.tool?.toLowerCase() ?? null, query.person?.toLowerCase() ?? null];
    const path = (folder ?? '').replace(/\/+$/, '');
    const under = [folder, path || '/', `${path}/`];
    const held = [session, session, tool, tool, person, person, ...under];
    return this.#read(async (connection) => {
      const place = [time, time, number, since, until];
      const values = [tsqueryOf(terms), ...place, ...held, limit + 1];
      const { rows } = await connection.query(QUERIES.find, values);
      const items = rows.slice(0, limit).map((row) => hitOf(row, terms));
      const last = rows[limit - 1];
      return rows.length > limit && last ? { items, next: `${last.time}_${last.number}` } : { items };
    });
  }

  outline(id: string): Promise<OutlinePart[]> {
    return this.#read(async (connection) => {
      const { rows: found } = await connection.query(QUERIES.prompts, [id]);
      const [session] = found;
      if (!session) return [];
      const { number, trimmed, count } = session;
      const step = turnsInPart(count);
      const { rows } = await connection.query(QUERIES.outline, [number, trimmed, step]);
      return rows.map(({ place, ...row }) => ({ ...row, turns: Math.min(step, count - place) }));
    });
  }

  /** What PostgreSQL keeps is not made anew here. */
  mend(): boolean {
    return false;
  }

  async close(): Promise<void> {
    await Promise.all([this.#connection?.end(), this.#reading?.end()]);
  }

  async #read<Found>(read: (connection: PostgresConnection) => Promise<Found>): Promise<Found> {
    try {
      if (!this.#reading || this.#reading.isEnded)
        this.#reading = await PostgresConnection.open(this.#address);
      return await read(this.#reading);
    } catch (error) {
      throw storeErrorFor(error, this.#address.shown);
    }
  }

  async #follow(connection: PostgresConnection, pause: () => Promise<void>): Promise<void> {
    for (;;) {
      const { rows } = await connection.query(QUERIES.position, []);
      const page = await connection.work(this.#updates.after(rows[0]?.position ?? 0, PAGE_SESSIONS));
      // What was taken from another database begins anew; entries that are indexed already are passed over.
      if (page.state === 'reset') {
        await connection.transaction(() => connection.query(QUERIES.notePosition, [0]));
        continue;
      }
      for (const { kind, session } of page.items)
        if (kind === 'updated') while (!(await this.#indexSlice(connection, session))) await pause();
      if (page.items.length > 0)
        await connection.transaction(() => connection.query(QUERIES.notePosition, [page.position]));
      if (page.isComplete) return;
    }
  }

  /** Index what follows what is known of a session; says whether that was all. One node at a time does it. */
  async #indexSlice(connection: PostgresConnection, id: string): Promise<boolean> {
    return connection.transaction(async () => {
      await connection.ask('SELECT pg_advisory_xact_lock($1, $2)', [LOCKS.of, LOCKS.index]);
      const { rows } = await connection.query(QUERIES.session, [id]);
      const [session] = rows;
      if (!session) return true;
      const window = await connection
        .work(this.#record.window(id, session.seq + 1, SLICE_ENTRIES))
        .catch((error: unknown) => {
          // It was removed meanwhile: an update says so.
          if (error instanceof SessionNotFoundError) return undefined;
          throw error;
        });
      if (!window) return true;
      const { entries, last } = unpackWindow(window);
      await this.#add(connection, session.number, entries);
      const seq = entries.at(-1)?.seq ?? last;
      if (seq > session.seq) await connection.query(QUERIES.noteSession, [session.number, seq]);
      return seq >= last;
    });
  }

  async #add(connection: PostgresConnection, session: number, entries: readonly Entry[]): Promise<void> {
    const lines = entries.filter((entry) => entry.kind === 'line');
    const pieces = lines.flatMap((entry) => saidIn(entry.line.bytes()).map((said) => ({ ...said, entry })));
    if (pieces.length === 0) return;
    const tools = new Map<string, string | null>();
    for (const { tool, call } of pieces) if (tool && call) tools.set(call, tool);
    for (const { tool, call } of pieces)
      if (!tool && call && !tools.has(call)) tools.set(call, await this.#toolOf(connection, session, call));
    const named = pieces.map(({ tool, call }) => tool ?? tools.get(call ?? '') ?? null);
    await connection.query(QUERIES.add, [
      pieces.map(({ entry }) => entry.seq),
      pieces.map(({ entry }) => entry.time),
      pieces.map(({ kind }) => kind),
      named,
      named.map((tool) => tool?.toLowerCase() ?? null),
      pieces.map(({ call }) => call ?? null),
      pieces.map(({ entry }) => authorText(entry)),
      pieces.map(({ entry: { author } }) => (author.by === 'person' ? author.name.toLowerCase() : null)),
      pieces.map(({ text }) => text),
      pieces.map(({ text }) => vectorOf(text)),
      session,
    ]);
    const prompts = pieces.filter(({ isPrompt }) => isPrompt);
    await connection.query(QUERIES.addPrompts, [
      prompts.map(({ entry }) => entry.seq),
      prompts.map(({ entry }) => entry.time),
      prompts.map(({ text }) => outlineWords(text)),
      session,
    ]);
  }

  async #toolOf(connection: PostgresConnection, session: number, call: string): Promise<string | null> {
    const { rows } = await connection.query(QUERIES.toolOf, [session, call]);
    return rows[0]?.tool ?? null;
  }
}

/** Nearly everything is the agent's: nothing is written for that. */
function authorText({ author }: RecordedLine): string | null {
  return author.by === 'agent' ? null : JSON.stringify(author);
}

function hitOf(
  { session, seq, time, kind, tool, author, text }: HitRow,
  terms: readonly SearchTerm[],
): SearchHit {
  const said: Author = author === null ? { by: 'agent' } : storedJson(author, 'an author of the index');
  return { session, seq, time, author: said, kind, tool, excerpt: excerptAround(text, terms) ?? [] };
}
