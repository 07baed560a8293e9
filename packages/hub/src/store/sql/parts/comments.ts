import { LIMITS } from '@signalbox/protocol';
import type { Comments, StoredComment } from '../../comment.ts';
import { SessionNotFoundError, StoreLimitError } from '../../store-errors.ts';
import type { InSteps } from '../part.ts';
import { Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';

/** Comments in their table. */
export class SqlComments implements InSteps<Comments> {
  *add(session: string, comment: StoredComment): Steps<void> {
    if (!(yield* QUERIES.session.get([session]))) throw new SessionNotFoundError(session);
    const { most } = LIMITS.changeComments;
    if (((yield* QUERIES.count.get([session]))?.count ?? 0) >= most)
      throw new StoreLimitError(`${most} comments of a session wait to be sent`);
    yield* QUERIES.add.run([comment.id, session, JSON.stringify(comment)]);
  }

  *list(session: string): Steps<StoredComment[]> {
    return (yield* QUERIES.list.all([session])).map(({ id, facts }) => storedJson(facts, `comment ${id}`));
  }

  *remove(session: string, ids: readonly string[]): Steps<void> {
    for (const id of ids) yield* QUERIES.remove.run([session, id]);
  }
}

const QUERIES = queries();

function queries() {
  return {
    session: new Statement('SELECT 1 FROM session WHERE id = ?'),
    count: new Statement<{ count: number }>('SELECT count(*) AS count FROM comment WHERE session = ?'),
    add: new Statement('INSERT INTO comment (id, session, facts) VALUES (?, ?, ?)'),
    list: new Statement<{ id: string; facts: string }>(
      'SELECT id, facts FROM comment WHERE session = ? ORDER BY number',
    ),
    remove: new Statement('DELETE FROM comment WHERE session = ? AND id = ?'),
  };
}
