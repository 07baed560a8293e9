import { LIMITS } from '@signalbox/protocol';
import type { Comments, StoredComment } from '../comment.ts';
import { SessionNotFoundError, StoreLimitError } from '../store-errors.ts';
import type { Database } from './database.ts';
import type { Immediate } from './part.ts';
import { storedJson } from './stored-json.ts';

/** Comments in their table. */
export class SqliteComments implements Immediate<Comments> {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    this.#queries = prepareQueries(database);
  }

  add(session: string, comment: StoredComment): void {
    if (!this.#queries.session.get([session])) throw new SessionNotFoundError(session);
    const { most } = LIMITS.changeComments;
    if ((this.#queries.count.get([session])?.count ?? 0) >= most)
      throw new StoreLimitError(`${most} comments of a session wait to be sent`);
    this.#queries.add.run([comment.id, session, JSON.stringify(comment)]);
  }

  list(session: string): StoredComment[] {
    return this.#queries.list.all([session]).map(({ id, facts }) => storedJson(facts, `comment ${id}`));
  }

  remove(session: string, ids: readonly string[]): void {
    for (const id of ids) this.#queries.remove.run([session, id]);
  }
}

function prepareQueries(database: Database) {
  return {
    session: database.prepare('SELECT 1 FROM session WHERE id = ?'),
    count: database.prepare<{ count: number }>('SELECT count(*) AS count FROM comment WHERE session = ?'),
    add: database.prepare('INSERT INTO comment (id, session, facts) VALUES (?, ?, ?)'),
    list: database.prepare<{ id: string; facts: string }>(
      'SELECT id, facts FROM comment WHERE session = ? ORDER BY number',
    ),
    remove: database.prepare('DELETE FROM comment WHERE session = ? AND id = ?'),
  };
}
