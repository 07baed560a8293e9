import type { Page, PageRequest, Session, SessionFacts, SessionState } from '@signalbox/protocol/hub';
import { NO_FACTS, type Sessions } from '../../session.ts';
import { SessionExistsError, SessionNotFoundError } from '../../store-errors.ts';
import { pageBounds, pageOf } from '../paging.ts';
import type { InSteps } from '../part.ts';
import type { RecordChanges } from '../record-changes.ts';
import { Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';

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
export class SqlSessions implements InSteps<Sessions> {
  readonly #record: RecordChanges;

  constructor(record: RecordChanges) {
    this.#record = record;
  }

  /** Remove what a process was killed over that imported it. */
  *removeHalfImported(): Steps<void> {
    for (const { id } of yield* QUERIES.imported.all([IMPORTING])) yield* this.remove(id);
  }

  *create(id: string, facts: Partial<SessionFacts> = {}): Steps<Session> {
    const { state, ...others } = { ...NO_FACTS, ...facts };
    const now = yield* this.#add(id, state, others);
    return { id, state, ...others, createdAt: now, updatedAt: now };
  }

  *beginImport(id: string, trimmed = 0): Steps<void> {
    yield* this.#add(id, IMPORTING, {});
    if (trimmed > 0) yield* QUERIES.beginAt.run([trimmed, id]);
  }

  *endImport(id: string, facts: Partial<SessionFacts>): Steps<Session> {
    yield* QUERIES.enter.run([NO_FACTS.state, Date.now(), this.#record.noteUpdate(id), id]);
    return yield* this.update(id, facts);
  }

  *get(id: string): Steps<Session | undefined> {
    const row = yield* QUERIES.get.get([id]);
    return row && sessionOf(row);
  }

  *list({
    states,
    ...request
  }: PageRequest & { states?: readonly SessionState[] } = {}): Steps<Page<Session>> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const wanted = states === undefined ? null : JSON.stringify(states);
    const rows = yield* QUERIES.list.all([after, wanted, wanted, limit + 1]);
    return pageOf(rows, limit, ({ number }) => number, sessionOf);
  }

  *update(id: string, facts: Partial<SessionFacts>, updatedAt = Date.now()): Steps<Session> {
    const session = yield* this.get(id);
    if (!session) throw new SessionNotFoundError(id);
    const { createdAt, id: _, updatedAt: __, unread, ...known } = session;
    const { state, ...others } = { ...known, ...facts };
    // What cannot be read is not written over: somebody may still save it.
    const position = this.#record.noteUpdate(id);
    if (unread) yield* QUERIES.enter.run([state, updatedAt, position, id]);
    else yield* QUERIES.update.run([state, JSON.stringify(others), updatedAt, position, id]);
    return { id, state, ...others, createdAt, updatedAt, ...(unread ? { unread } : {}) };
  }

  *remove(id: string): Steps<void> {
    yield* this.#record.remove(id);
    yield* QUERIES.remove.run([id]);
    yield* this.#record.noteRemoved(id);
  }

  *#add(id: string, state: SessionState | typeof IMPORTING, facts: object): Steps<number> {
    if (yield* QUERIES.taken.get([id])) throw new SessionExistsError(id);
    const now = Date.now();
    yield* QUERIES.add.run([id, state, JSON.stringify(facts), now, now, this.#record.noteUpdate(id)]);
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

const QUERIES = queries();

function queries() {
  const columns = 'SELECT number, id, state, facts, created_at, updated_at FROM session';
  return {
    add: new Statement(
      'INSERT INTO session (id, state, facts, created_at, updated_at, position) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    taken: new Statement<{ id: string }>('SELECT id FROM session WHERE id = ?'),
    imported: new Statement<{ id: string }>('SELECT id FROM session WHERE state = ?'),
    get: new Statement<SessionRow>(`${columns} WHERE id = ? AND state <> '${IMPORTING}'`),
    list: new Statement<SessionRow>(
      (sql) => `${columns} WHERE number < ? AND state <> '${IMPORTING}'
        AND (CAST(? AS TEXT) IS NULL OR ${sql.isOneOf('state')}) ORDER BY number DESC LIMIT ?`,
    ),
    update: new Statement(
      'UPDATE session SET state = ?, facts = ?, updated_at = ?, position = ? WHERE id = ?',
    ),
    beginAt: new Statement('UPDATE session SET trimmed = ? WHERE id = ?'),
    enter: new Statement('UPDATE session SET state = ?, updated_at = ?, position = ? WHERE id = ?'),
    remove: new Statement('DELETE FROM session WHERE id = ?'),
  };
}
