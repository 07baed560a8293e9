import { LIMITS } from '@signalbox/protocol';
import type { Notices, StoredTarget } from '../notice.ts';
import { RecordNotFoundError, SessionNotFoundError, StoreLimitError } from '../store-errors.ts';
import type { Database } from './database.ts';
import type { Immediate } from './part.ts';
import { storedJson } from './stored-json.ts';

interface TargetRow {
  id: string;
  facts: string;
}

type Targets = Immediate<Pick<Notices, 'addTarget' | 'targets' | 'retireTarget' | 'removeTarget'>>;

/** Where notices go, in their table. */
export class SqliteNoticeTargets implements Targets {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    this.#queries = prepareQueries(database);
  }

  addTarget(target: StoredTarget): StoredTarget {
    const { id, session, url, type } = target;
    if (session !== null && !this.#queries.session.get([session])) throw new SessionNotFoundError(session);
    if (type === 'push') this.#queries.removePush.run([url, id]);
    const isNew = !this.#queries.get.get([id]);
    const { most } = LIMITS.noticeTargets;
    if (isNew && (this.#queries.count.get()?.count ?? 0) >= most)
      throw new StoreLimitError(`A hub has ${most} targets of notices`);
    this.#queries.put.run([id, session, type === 'push' ? url : null, JSON.stringify(target)]);
    return target;
  }

  targets(): StoredTarget[] {
    return this.#queries.list.all().flatMap((row) => {
      try {
        return [targetOf(row)];
      } catch {
        return [];
      }
    });
  }

  retireTarget(id: string, why: string): StoredTarget {
    const target = this.#find(id);
    const now = Date.now();
    const retired: StoredTarget = { ...target, retired: { at: now, why } };
    this.#queries.change.run([JSON.stringify(retired), id]);
    this.#queries.fail.run([why, now, id]);
    return retired;
  }

  removeTarget(id: string): StoredTarget {
    const target = this.#find(id);
    this.#queries.remove.run([id]);
    return target;
  }

  #find(id: string): StoredTarget {
    const row = this.#queries.get.get([id]);
    if (!row) throw new RecordNotFoundError(`target ${id} of notices`);
    return targetOf(row);
  }
}

function targetOf({ id, facts }: TargetRow): StoredTarget {
  return storedJson(facts, `target ${id} of notices`);
}

function prepareQueries(database: Database) {
  return {
    session: database.prepare('SELECT 1 FROM session WHERE id = ?'),
    count: database.prepare<{ count: number }>('SELECT count(*) AS count FROM notice_target'),
    put: database.prepare(
      `INSERT INTO notice_target (id, session, push, facts) VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET session = excluded.session, push = excluded.push, facts = excluded.facts`,
    ),
    change: database.prepare('UPDATE notice_target SET facts = ? WHERE id = ?'),
    get: database.prepare<TargetRow>('SELECT id, facts FROM notice_target WHERE id = ?'),
    list: database.prepare<TargetRow>('SELECT id, facts FROM notice_target ORDER BY number'),
    remove: database.prepare('DELETE FROM notice_target WHERE id = ?'),
    removePush: database.prepare('DELETE FROM notice_target WHERE push = ? AND id <> ?'),
    fail: database.prepare(
      `UPDATE notice_delivery SET state = 'failed', outcome = ?, next_at = NULL, changed_at = ?
        WHERE target = ? AND state IN ('waiting', 'held', 'closing')`,
    ),
  };
}
