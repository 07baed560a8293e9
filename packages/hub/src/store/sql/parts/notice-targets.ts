import { LIMITS } from '@signalbox/protocol';
import type { Notices, StoredTarget } from '../../notice.ts';
import { RecordNotFoundError, SessionNotFoundError, StoreLimitError } from '../../store-errors.ts';
import type { InSteps } from '../part.ts';
import { Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';

interface TargetRow {
  id: string;
  facts: string;
}

type Targets = InSteps<Pick<Notices, 'addTarget' | 'targets' | 'retireTarget' | 'removeTarget'>>;

/** Where notices go, in their table. */
export class SqlNoticeTargets implements Targets {
  *addTarget(target: StoredTarget): Steps<StoredTarget> {
    const { id, session, url, type } = target;
    if (session !== null && !(yield* QUERIES.session.get([session]))) throw new SessionNotFoundError(session);
    if (type === 'push') yield* QUERIES.removePush.run([url, id]);
    const isNew = !(yield* QUERIES.get.get([id]));
    const { most } = LIMITS.noticeTargets;
    if (isNew && ((yield* QUERIES.count.get())?.count ?? 0) >= most)
      throw new StoreLimitError(`A hub has ${most} targets of notices`);
    yield* QUERIES.put.run([id, session, type === 'push' ? url : null, JSON.stringify(target)]);
    return target;
  }

  *targets(): Steps<StoredTarget[]> {
    return (yield* QUERIES.list.all()).flatMap((row) => {
      try {
        return [targetOf(row)];
      } catch {
        return [];
      }
    });
  }

  *retireTarget(id: string, why: string): Steps<StoredTarget> {
    const target = yield* this.#find(id);
    const now = Date.now();
    const retired: StoredTarget = { ...target, retired: { at: now, why } };
    yield* QUERIES.change.run([JSON.stringify(retired), id]);
    yield* QUERIES.fail.run([why, now, id]);
    return retired;
  }

  *removeTarget(id: string): Steps<StoredTarget> {
    const target = yield* this.#find(id);
    yield* QUERIES.remove.run([id]);
    return target;
  }

  *#find(id: string): Steps<StoredTarget> {
    const row = yield* QUERIES.get.get([id]);
    if (!row) throw new RecordNotFoundError(`target ${id} of notices`);
    return targetOf(row);
  }
}

function targetOf({ id, facts }: TargetRow): StoredTarget {
  return storedJson(facts, `target ${id} of notices`);
}

const QUERIES = queries();

function queries() {
  return {
    session: new Statement('SELECT 1 FROM session WHERE id = ?'),
    count: new Statement<{ count: number }>('SELECT count(*) AS count FROM notice_target'),
    put: new Statement(
      `INSERT INTO notice_target (id, session, push, facts) VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET session = excluded.session, push = excluded.push, facts = excluded.facts`,
    ),
    change: new Statement('UPDATE notice_target SET facts = ? WHERE id = ?'),
    get: new Statement<TargetRow>('SELECT id, facts FROM notice_target WHERE id = ?'),
    list: new Statement<TargetRow>('SELECT id, facts FROM notice_target ORDER BY number'),
    remove: new Statement('DELETE FROM notice_target WHERE id = ?'),
    removePush: new Statement('DELETE FROM notice_target WHERE push = ? AND id <> ?'),
    fail: new Statement(
      `UPDATE notice_delivery SET state = 'failed', outcome = ?, next_at = NULL, changed_at = ?
        WHERE target = ? AND state IN ('waiting', 'held', 'closing')`,
    ),
  };
}
