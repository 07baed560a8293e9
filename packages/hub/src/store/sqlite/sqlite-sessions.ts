import type { Session, SessionFacts, SessionState } from '@signalbox/protocol/hub';
import type { Page, PageRequest } from '../page.ts';
import type { Sessions } from '../session.ts';
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

const NO_FACTS: SessionFacts = {
  state: 'starting',
  title: null,
  folder: null,
  agent: null,
  model: null,
  mode: null,
  exit: null,
  problem: null,
};

/** Sessions in their table. */
export class SqliteSessions implements Immediate<Sessions> {
  readonly #queries: ReturnType<typeof prepareQueries>;
  readonly #writer: RecordWriter;

  constructor(database: Database, writer: RecordWriter) {
    this.#queries = prepareQueries(database);
    this.#writer = writer;
  }

  create(id: string, facts: Partial<SessionFacts> = {}): Session {
    if (this.get(id)) throw new SessionExistsError(id);
    const { state, ...others } = { ...NO_FACTS, ...facts };
    const now = Date.now();
    this.#queries.add.run([id, state, JSON.stringify(others), now, now]);
    return { id, state, ...others, createdAt: now, updatedAt: now };
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
    if (unread) this.#queries.enter.run([state, updatedAt, id]);
    else this.#queries.update.run([state, JSON.stringify(others), updatedAt, id]);
    return { id, state, ...others, createdAt, updatedAt, ...(unread ? { unread } : {}) };
  }

  remove(id: string): void {
    this.#writer.remove(id);
    this.#queries.remove.run([id]);
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
      'INSERT INTO session (id, state, facts, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
    ),
    get: database.prepare<SessionRow>(`${columns} WHERE id = ?`),
    list: database.prepare<SessionRow>(
      `${columns} WHERE number < ? AND (? IS NULL OR state IN (SELECT value FROM json_each(?)))
        ORDER BY number DESC LIMIT ?`,
    ),
    update: database.prepare('UPDATE session SET state = ?, facts = ?, updated_at = ? WHERE id = ?'),
    enter: database.prepare('UPDATE session SET state = ?, updated_at = ? WHERE id = ?'),
    remove: database.prepare('DELETE FROM session WHERE id = ?'),
  };
}
