import { createHash } from 'node:crypto';
import type { Author, Cursor } from '@signalbox/protocol/hub';
import { cursorOn, type Entry, type RecordedLine } from '../../record.ts';
import { type Said, saidIn } from '../../said.ts';
import { outlineWords } from '../../search.ts';
import type { Database } from '../database.ts';
import { RowNumbers } from './row-numbers.ts';

/** How many calls of tools are remembered, for the results that follow them. */
const KNOWN_CALLS = 4096;

/** How many rows are removed at once. */
const REMOVED_ROWS = 500;

interface IndexedSession {
  number: number;
  cursor: Cursor;
  /** What was trimmed of the record when its first entry was indexed. */
  trimmed: number;
}

interface Piece extends Said {
  entry: RecordedLine;
}

/** Puts entries into an index, and takes sessions out of it. */
export class IndexWriter {
  readonly #database: Database;
  readonly #queries: ReturnType<typeof prepareQueries>;
  readonly #rows: RowNumbers;
  /** The tools of calls, by the word that stands for the call. */
  readonly #tools = new Map<string, string>();

  constructor(database: Database) {
    this.#database = database;
    this.#queries = prepareQueries(database);
    this.#rows = new RowNumbers(database);
  }

  /** The position of the last update that is indexed. */
  get position(): number {
    return this.#queries.progress.get()?.position ?? 0;
  }

  notePosition(position: number): void {
    this.#queries.notePosition.run([position]);
  }

  /** The store is another one, or an older copy: all sessions are to be looked at, and those that nobody mentions are gone. */
  beginWalk(): void {
    this.#queries.beginWalk.run();
  }

  /** All sessions were looked at. Says whether there may be more to do: a piece at a time. */
  endWalk(): boolean {
    const left = this.#queries.unmentioned.get();
    if (left) this.remove(left.id);
    else this.#queries.endWalk.run();
    return left !== undefined;
  }

  /** How far a session is indexed. */
  session(id: string, folder: string | null): IndexedSession {
    this.#queries.mention.run([id, folder, folder]);
    const row = this.#queries.session.get([id]);
    const { number = 0, seq = 0, seal: check = 0, trimmed = 0 } = row ?? {};
    return { number, cursor: { seq, check }, trimmed };
  }

  /** Entries of a session that follow those that are indexed. */
  add({ number }: IndexedSession, entries: readonly Entry[], trimmed: number): void {
    const last = entries.at(-1);
    if (!last) return;
    const pieces = entries.flatMap((entry) => (entry.kind === 'line' ? piecesOf(entry) : []));
    // Before the first row is added: to look for one after that would write what was added, as a small piece of the index.
    const tools = pieces.map((piece) => this.#toolOf(number, piece));
    const order = [...pieces.keys()].toSorted((one, other) => timeOf(pieces[one]) - timeOf(pieces[other]));
    this.#database.transaction(() => {
      this.#rows.forget();
      for (const at of order) this.#addPiece(number, pieces[at], tools[at]);
      const { seq, check } = cursorOn(last);
      this.#queries.noteCursor.run([seq, check, trimmed, number]);
    });
  }

  /** Some of a session's rows, or the session with the last of them. Says whether there are more. */
  remove(id: string): boolean {
    const session = this.#queries.session.get([id]);
    if (!session) return false;
    return this.#database.transaction(() => {
      const rows = this.#queries.rowsOf.all([`facets : s${session.number}`, REMOVED_ROWS]);
      for (const { row } of rows) this.#queries.removeRow.run([row]);
      if (rows.length === REMOVED_ROWS) return true;
      this.#queries.removePrompts.run([session.number]);
      this.#queries.removeSession.run([id]);
      return false;
    });
  }

  #addPiece(session: number, piece: Piece | undefined, tool: string | undefined): void {
    if (!piece) return;
    const { entry, kind, text, call, isPrompt } = piece;
    const { author, seq, time } = entry;
    if (isPrompt) this.#queries.addPrompt.run([session, seq, time, outlineWords(text)]);
    const facets = [
      `s${session}`,
      ...(tool ? [this.#wordFor(toolName(tool))] : []),
      ...(author.by === 'person' ? [this.#wordFor(personName(author.name))] : []),
      ...(call && kind === 'call' ? [callWord(session, call)] : []),
    ].join(' ');
    const row = this.#rows.take(time);
    this.#queries.add.run([row, text, facets, session, seq, time, kind, tool ?? null, authorText(author)]);
  }

  #toolOf(session: number, { kind, tool, call }: Piece): string | undefined {
    if (!call) return tool;
    const word = callWord(session, call);
    const known =
      tool ?? this.#tools.get(word) ?? this.#queries.toolOf.get([`facets : ${word}`])?.tool ?? undefined;
    if (known && kind === 'call') this.#remember(word, known);
    return known;
  }

  #remember(word: string, tool: string): void {
    this.#tools.set(word, tool);
    const [oldest] = this.#tools.keys();
    if (this.#tools.size > KNOWN_CALLS && oldest !== undefined) this.#tools.delete(oldest);
  }

  /** A name as one word of `facets`, whatever characters it has. */
  #wordFor(name: string): string {
    this.#queries.addName.run([name]);
    return `n${this.#queries.name.get([name])?.number}`;
  }
}

/** What names of tools and people are kept as; case does not count. */
export function toolName(tool: string): string {
  return `tool ${tool.toLowerCase()}`;
}

export function personName(person: string): string {
  return `person ${person.toLowerCase()}`;
}

function callWord(session: number, call: string): string {
  return `c${createHash('sha1').update(`${session} ${call}`).digest('hex').slice(0, 20)}`;
}

function piecesOf(entry: RecordedLine): Piece[] {
  return saidIn(entry.line.bytes()).map((said) => ({ ...said, entry }));
}

function timeOf(piece: Piece | undefined): number {
  return piece?.entry.time ?? 0;
}

/** Nearly everything is the agent's: nothing is written for that. */
function authorText(author: Author): string | null {
  return author.by === 'agent' ? null : JSON.stringify(author);
}

function prepareQueries(database: Database) {
  return {
    progress: database.prepare<{ position: number }>('SELECT position FROM progress'),
    notePosition: database.prepare('UPDATE progress SET position = ?'),
    beginWalk: database.prepare('UPDATE progress SET position = 0, walk = walk + 1, is_walking = 1'),
    unmentioned: database.prepare<{ id: string }>(
      'SELECT id FROM session WHERE walk < (SELECT walk FROM progress WHERE is_walking) LIMIT 1',
    ),
    endWalk: database.prepare('UPDATE progress SET is_walking = 0 WHERE is_walking'),
    mention: database.prepare(
      `INSERT INTO session (id, folder, walk) SELECT ?, ?, walk FROM progress WHERE true
        ON CONFLICT (id) DO UPDATE SET folder = ?, walk = excluded.walk`,
    ),
    session: database.prepare<{ number: number; seq: number; seal: number; trimmed: number }>(
      'SELECT number, seq, seal, trimmed FROM session WHERE id = ?',
    ),
    noteCursor: database.prepare('UPDATE session SET seq = ?, seal = ?, trimmed = ? WHERE number = ?'),
    add: database.prepare(
      `INSERT INTO said (rowid, text, facets, session, seq, time, kind, tool, author)
        VALUES (CAST(? AS INTEGER), ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    addPrompt: database.prepare(
      'INSERT OR REPLACE INTO prompt (session, seq, time, words) VALUES (?, ?, ?, ?)',
    ),
    addName: database.prepare('INSERT INTO name (name) VALUES (?) ON CONFLICT DO NOTHING'),
    name: database.prepare<{ number: number }>('SELECT number FROM name WHERE name = ?'),
    toolOf: database.prepare<{ tool: string | null }>('SELECT tool FROM said WHERE said MATCH ? LIMIT 1'),
    rowsOf: database.prepare<{ row: number }>('SELECT rowid AS row FROM said WHERE said MATCH ? LIMIT ?'),
    removeRow: database.prepare('DELETE FROM said WHERE rowid = CAST(? AS INTEGER)'),
    removePrompts: database.prepare('DELETE FROM prompt WHERE session = ?'),
    removeSession: database.prepare('DELETE FROM session WHERE id = ?'),
  };
}
