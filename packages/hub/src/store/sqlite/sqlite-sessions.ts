import type { Page, PageRequest, Session, SessionFacts, SessionState } from '@signalbox/protocol/hub';
import { NO_FACTS, type Sessions } from '../session.ts';
import { SessionExistsError, SessionNotFoundError } from '../store-errors.ts';
import type { Database } from './database.ts';
import { pageBounds, pageOf } from './paging.ts';
import type { Immediate } from './part.ts';
import type { RecordWriter } from './record-writer.ts';
import { storedJson } from './stored-json.ts';

interface SessionRow {
  number: number;
  id: string;
  state: SessionState;
  /** The other facts, as JSON. */
  facts: string;
  created_at: number;
  updated_at: number;
}

/** In the place of a state: the session is being imported, and nobody's to see. */
const IMPORTING = 'importing';

/** Sessions in their table. */
export class SqliteSessions implements Immediate<Sessions> {
  readonly #queries: ReturnType<typeof prepareQueries>;
  readonly #writer: RecordWriter;

  constructor(database: Database, writer: RecordWriter) {
    this.#queries = prepareQueries(database);
    this.#writer = writer;
    // A process was killed over these.
    for (const { id } of this.#queries.imported.all([IMPORTING])) this.remove(id);
  }

  create(id: string, facts: Partial<SessionFacts> = {}): Session {
    const { state, ...others } = { ...NO_FACTS, ...facts };
    const now = this.#add(id, state, others);
    return { id, state, ...others, createdAt: now, updatedAt: now };
  }

  beginImport(id: string, trimmed = 0): void {
    this.#add(id, IMPORTING, {});
    if (trimmed > 0) this.#queries.beginAt.run([trimmed, id]);
  }

  endImport(id: string, facts: Partial<SessionFacts>): Session {
    this.#queries.enter.run([NO_FACTS.state, Date.now(), this.#writer.noteUpdate(id), id]);
    return this.update(id, facts);
  }

  get(id: string): Session | undefined {
    const row = this.#queries.get.get([id]);
    return row && sessionOf(row);
  }

  list({ states, ...request }: PageRequest & { states?: readonly SessionState[] } = {}): Page<Session> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const wanted = states === undefined ? null : JSON.stringify(states);
    const rows = this.#queries.list.all([after, wanted, wanted, limit + 1]);
    return pageOf(rows, limit, ({ number }) => number, sessionOf);
  }

  update(id: string, facts: Partial<SessionFacts>, updatedAt = Date.now()): Session {
    const session = this.get(id);
    if (!session) throw new SessionNotFoundError(id);
    const { createdAt, id: _, updatedAt: __, unread, ...known } = session;
    const { state, ...others } = { ...known, ...facts };
    // What cannot be read is not written over: somebody may still save it.
    const position = this.#writer.noteUpdate(id);
    if (unread) this.#queries.enter.run([state, updatedAt, position, id]);
    else this.#queries.update.run([state, JSON.stringify(others), updatedAt, position, id]);
    return { id, state, ...others, createdAt, updatedAt, ...(unread ? { unread } : {}) };
  }

  remove(id: string): void {
    this.#writer.remove(id);
    this.#queries.remove.run([id]);
    this.#queries.noteRemoved.run([this.#writer.noteUpdate(id), id]);
  }

  #add(id: string, state: SessionState | typeof IMPORTING, facts: object): number {
    if (this.#queries.taken.get([id])) throw new SessionExistsError(id);
    const now = Date.now();
    this.#queries.add.run([id, state, JSON.stringify(facts), now, now, this.#writer.noteUpdate(id)]);
    return now;
  }
}

/** One whose facts cannot be read is listed all the same, and says so. */
function sessionOf({ id, state, facts, created_at, updated_at }: SessionRow): Session {
  const times = { createdAt: created_at, updatedAt: updated_at };
  try {
    const others: Omit<SessionFacts, 'state'> = storedJson(facts, `the facts of session ${id}`);
    return { id, ...NO_FACTS, state, ...others, ...times };
  } catch {
    return { id, ...NO_FACTS, state, ...times, unread: true };
  }
}

function prepareQueries(database: Database) {
  const columns = 'SELECT number, id, state, facts, created_at, updated_at FROM session';
  return {
    add: database.prepare(
      'INSERT INTO session (id, state, facts, created_at, updated_at, position) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    taken: database.prepare<{ id: string }>('SELECT id FROM session WHERE id = ?'),
    imported: database.prepare<{ id: string }>('SELECT id FROM session WHERE state = ?'),
    get: database.prepare<SessionRow>(`${columns} WHERE id = ? AND state <> '${IMPORTING}'`),
    list: database.prepare<SessionRow>(
      `${columns} WHERE number < ? AND state <> '${IMPORTING}' AND (? IS NULL OR state IN (SELECT value FROM json_each(?)))
        ORDER BY number DESC LIMIT ?`,
    ),
    update: database.prepare(
      'UPDATE session SET state = ?, facts = ?, updated_at = ?, position = ? WHERE id = ?',
    ),
    beginAt: database.prepare('UPDATE session SET trimmed = ? WHERE id = ?'),
    enter: database.prepare('UPDATE session SET state = ?, updated_at = ?, position = ? WHERE id = ?'),
    remove: database.prepare('DELETE FROM session WHERE id = ?'),
    noteRemoved: database.prepare('INSERT INTO removed_session VALUES (?, ?)'),
  };
}
