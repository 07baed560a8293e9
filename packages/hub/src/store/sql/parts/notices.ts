import { LIMITS } from '@signalbox/protocol';
import type { DeliveryState, Notice, NoticeKind, Page, PageRequest } from '@signalbox/protocol/hub';
import type { Delivery, DeliveryChange, NewNotice, Notices, StoredCapability } from '../../notice.ts';
import { SessionNotFoundError } from '../../store-errors.ts';
import { pageBounds } from '../paging.ts';
import type { InSteps } from '../part.ts';
import { Statement, type Steps } from '../statement.ts';
import { SqlNoticeTargets } from './notice-targets.ts';
import { WaitingRoom } from './waiting-room.ts';

interface NoticeRow {
  number: number;
  id: string;
  session: string | null;
  cause: string;
  kind: NoticeKind;
  request_id: string | null;
  title: string;
  body: string;
  created_at: number;
}

interface DeliveryRow {
  id: string;
  notice: number;
  target: string;
  state: DeliveryState;
  attempts: number;
  since: number;
  next_at: number | null;
  outcome: string | null;
  changed_at: number;
}

const FULL = `${LIMITS.noticesWaiting.most} notices wait for this target already`;

/** Notices and what became of them, in their tables. */
export class SqlNotices extends SqlNoticeTargets implements InSteps<Notices> {
  readonly #waiting = new WaitingRoom();

  *add(
    notice: NewNotice,
    deliveries: readonly { target: string; state: DeliveryState; outcome?: string }[],
  ): Steps<Delivery[]> {
    const { id, session, cause, kind, requestId, title, body } = notice;
    if (session !== null && !(yield* QUERIES.session.get([session]))) throw new SessionNotFoundError(session);
    if (session !== null && requestId !== null && !(yield* QUERIES.isOpen.get([session, requestId])))
      return [];
    const now = Date.now();
    const added = yield* QUERIES.add.run([id, session, cause, kind, requestId, title, body, now]);
    if (added === 0) return [];
    const { number = 0 } = (yield* QUERIES.numberOf.get([id])) ?? {};
    const told: Delivery[] = [];
    for (const [at, { target, state: first, outcome = null }] of deliveries.entries()) {
      const isFull = !(yield* this.#waiting.take(target));
      const state = isFull ? 'failed' : first;
      const said = isFull ? FULL : outcome;
      const own = `${id}-${at}`;
      const nextAt = state === 'waiting' ? now : null;
      const isThere = yield* QUERIES.deliver.run([
        own,
        number,
        target,
        state,
        now,
        nextAt,
        said,
        now,
        target,
      ]);
      if (isThere === 0) continue;
      told.push({ id: own, notice: { ...notice, createdAt: now }, target, state, attempts: 0, since: now });
    }
    return told;
  }

  *due(
    now: number,
    limit: number,
    except: readonly string[] = [],
  ): Steps<{ deliveries: Delivery[]; next: number | null }> {
    const left = JSON.stringify(except);
    const deliveries = (yield* QUERIES.due.all([now, left, limit])).map(deliveryOf);
    return { deliveries, next: (yield* QUERIES.next.get([now]))?.next ?? null };
  }

  *begin(id: string): Steps<void> {
    yield* QUERIES.begin.run([id]);
  }

  *settle(id: string, { state, outcome, nextAt }: DeliveryChange): Steps<DeliveryState | undefined> {
    const known = (yield* QUERIES.stateOf.get([id]))?.state;
    if (known === undefined) return undefined;
    // It was answered while it was on its way.
    const isLate = known === 'closing' && (state === 'sent' || state === 'waiting');
    const kept = isLate ? 'closing' : state;
    yield* QUERIES.settle.run([kept, outcome, isLate ? Date.now() : nextAt, Date.now(), id]);
    if (kept !== 'waiting' && kept !== 'closing') this.#waiting.noteLeft();
    return kept;
  }

  *release(session?: string): Steps<number> {
    const now = Date.now();
    return yield* QUERIES.release.run([now, now, now, session ?? null, session ?? null]);
  }

  /** A question is answered, withdrawn or expired: whoever was told of it is told that. */
  *withdraw(session: string, requestId: string): Steps<void> {
    const number = (yield* QUERIES.about.get([session, requestId]))?.number;
    if (number === undefined) return;
    const now = Date.now();
    yield* QUERIES.close.run([now, now, now, number]);
    if ((yield* QUERIES.withdraw.run([now, number])) > 0) this.#waiting.noteLeft();
  }

  *list({
    session,
    targets,
    ...request
  }: PageRequest & { session?: string; targets?: readonly string[] } = {}): Steps<Page<Notice>> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const wanted = targets === undefined ? null : JSON.stringify(targets);
    const rows = yield* QUERIES.list.all([
      after,
      session ?? null,
      session ?? null,
      wanted,
      wanted,
      limit + 1,
    ]);
    const items: Notice[] = [];
    for (const row of rows.slice(0, limit)) items.push(yield* this.#noticeOf(row, wanted));
    const last = rows[limit - 1];
    return rows.length > limit && last ? { items, next: String(last.number) } : { items };
  }

  *prune(now: number): Steps<void> {
    yield* QUERIES.prune.run([LIMITS.noticesKept.most]);
    this.#waiting.noteLeft();
    yield* QUERIES.forget.run([now - CAPABILITY_MEMORY_MS]);
  }

  *grant({ id, hash, session, requestId, digest, target, notice, expiresAt }: StoredCapability): Steps<void> {
    yield* QUERIES.grant.run([id, hash, session, requestId, digest, target, notice, expiresAt]);
  }

  *capability(id: string): Steps<StoredCapability | undefined> {
    const row = yield* QUERIES.capability.get([id]);
    if (!row) return undefined;
    const { hash, session, requestId, digest, target, notice, expiresAt } = row;
    return { id, hash, session, requestId, digest, target, notice, expiresAt };
  }

  *#noticeOf(
    { number, id, kind, session, request_id: requestId, title, body, ...row }: NoticeRow,
    wanted: string | null,
  ): Steps<Notice> {
    const deliveries = (yield* QUERIES.deliveries.all([number, wanted, wanted])).map((one) => ({
      id: one.id,
      target: one.target,
      targetName: one.name ?? '',
      state: one.state,
      attempts: one.attempts,
      outcome: one.outcome,
      changedAt: one.changed_at,
      nextAt: one.next_at,
    }));
    return { id, kind, session, requestId, title, body, createdAt: row.created_at, deliveries };
  }
}

/** How long a right that is over is remembered, to say so. */
const CAPABILITY_MEMORY_MS = 7 * 24 * 60 * 60_000;

function deliveryOf(row: DeliveryRow & Omit<NoticeRow, 'id'> & { notice_id: string }): Delivery {
  const { id, notice_id, session, cause, kind, request_id: requestId, title, body } = row;
  const { created_at: createdAt, target, state, attempts, since } = row;
  const notice = { id: notice_id, session, cause, kind, requestId, title, body, createdAt };
  return { id, notice, target, state, attempts, since };
}

const QUERIES = queries();

function queries() {
  const isDue = "state IN ('waiting', 'closing')";
  return {
    session: new Statement('SELECT 1 FROM session WHERE id = ?'),
    isOpen: new Statement("SELECT 1 FROM permission WHERE session = ? AND request_id = ? AND state = 'open'"),
    add: new Statement(
      `INSERT INTO notice (id, session, cause, kind, request_id, title, body, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    numberOf: new Statement<{ number: number }>('SELECT number FROM notice WHERE id = ?'),
    deliver: new Statement(
      `INSERT INTO notice_delivery (id, notice, target, state, attempts, since, next_at, outcome, changed_at)
        SELECT ?, ?, ?, ?, 0, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM notice_target WHERE id = ?)`,
    ),
    due: new Statement<DeliveryRow & Omit<NoticeRow, 'id'> & { notice_id: string }>(
      (
        sql,
      ) => `SELECT notice_delivery.id, target, state, attempts, since, notice.id AS notice_id, session, cause, kind,
          request_id, title, body, created_at
        FROM notice_delivery JOIN notice ON notice.number = notice_delivery.notice
        WHERE ${isDue} AND next_at <= ? AND NOT ${sql.isOneOf('target')}
        ORDER BY notice_delivery.number LIMIT ?`,
    ),
    next: new Statement<{ next: number | null }>(
      `SELECT min(next_at) AS next FROM notice_delivery WHERE ${isDue} AND next_at > ?`,
    ),
    begin: new Statement('UPDATE notice_delivery SET attempts = attempts + 1 WHERE id = ?'),
    stateOf: new Statement<{ state: DeliveryState }>('SELECT state FROM notice_delivery WHERE id = ?'),
    settle: new Statement(
      'UPDATE notice_delivery SET state = ?, outcome = ?, next_at = ?, changed_at = ? WHERE id = ?',
    ),
    release: new Statement(
      `UPDATE notice_delivery SET state = 'waiting', next_at = ?, since = ?, changed_at = ? WHERE state = 'held'
        AND (CAST(? AS TEXT) IS NULL OR notice IN (SELECT number FROM notice WHERE session = ?))`,
    ),
    about: new Statement<{ number: number }>(
      'SELECT number FROM notice WHERE session = ? AND request_id = ?',
    ),
    close: new Statement(
      `UPDATE notice_delivery SET state = 'closing', attempts = 0, since = ?, next_at = ?, changed_at = ?
        WHERE notice = ? AND (state = 'sent' OR (state = 'waiting' AND attempts > 0))`,
    ),
    withdraw: new Statement(
      `UPDATE notice_delivery SET state = 'withdrawn', next_at = NULL, changed_at = ?
        WHERE notice = ? AND state IN ('waiting', 'held')`,
    ),
    list: new Statement<NoticeRow>(
      (sql) => `SELECT number, id, session, cause, kind, request_id, title, body, created_at FROM notice
        WHERE number < ? AND (CAST(? AS TEXT) IS NULL OR session = ?) AND (CAST(? AS TEXT) IS NULL OR EXISTS (
          SELECT 1 FROM notice_delivery WHERE notice = notice.number
            AND ${sql.isOneOf('target')}))
        ORDER BY number DESC LIMIT ?`,
    ),
    deliveries: new Statement<DeliveryRow & { name: string | null }>(
      (sql) => `SELECT notice_delivery.id, target, state, attempts, outcome, changed_at, next_at,
          ${sql.textAt('facts', 'name')} AS name
        FROM notice_delivery LEFT JOIN notice_target ON notice_target.id = target
        WHERE notice = ? AND (CAST(? AS TEXT) IS NULL OR ${sql.isOneOf('target')})
        ORDER BY notice_delivery.number`,
    ),
    prune: new Statement('DELETE FROM notice WHERE number <= (SELECT max(number) FROM notice) - ?'),
    forget: new Statement('DELETE FROM capability WHERE expires_at < ?'),
    grant: new Statement(
      `INSERT INTO capability (id, hash, session, request_id, digest, target, notice, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    capability: new Statement<StoredCapability>(
      `SELECT id, hash, session, request_id AS "requestId", digest, target, notice, expires_at AS "expiresAt"
        FROM capability WHERE id = ?`,
    ),
  };
}
