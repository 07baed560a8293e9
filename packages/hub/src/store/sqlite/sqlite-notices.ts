import { LIMITS } from '@signalbox/protocol';
import type { DeliveryState, Notice, NoticeKind, Page, PageRequest } from '@signalbox/protocol/hub';
import type { Delivery, DeliveryChange, NewNotice, Notices, StoredCapability } from '../notice.ts';
import { SessionNotFoundError } from '../store-errors.ts';
import type { Database } from './database.ts';
import { pageBounds } from './paging.ts';
import type { Immediate } from './part.ts';
import { SqliteNoticeTargets } from './sqlite-notice-targets.ts';

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
export class SqliteNotices extends SqliteNoticeTargets implements Immediate<Notices> {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    super(database);
    this.#queries = prepareQueries(database);
  }

  add(
    notice: NewNotice,
    deliveries: readonly { target: string; state: DeliveryState; outcome?: string }[],
  ): Delivery[] {
    const { id, session, cause, kind, requestId, title, body } = notice;
    if (session !== null && !this.#queries.session.get([session])) throw new SessionNotFoundError(session);
    if (session !== null && requestId !== null && !this.#queries.isOpen.get([session, requestId])) return [];
    const now = Date.now();
    const added = this.#queries.add.run([id, session, cause, kind, requestId, title, body, now]);
    if (added === 0) return [];
    const { number = 0 } = this.#queries.numberOf.get([id]) ?? {};
    return deliveries.flatMap(({ target, state: first, outcome = null }, at) => {
      const isFull = (this.#queries.waiting.get([target])?.count ?? 0) >= LIMITS.noticesWaiting.most;
      const state = isFull ? 'failed' : first;
      const said = isFull ? FULL : outcome;
      const own = `${id}-${at}`;
      const nextAt = state === 'waiting' ? now : null;
      const isThere = this.#queries.deliver.run([own, number, target, state, now, nextAt, said, now, target]);
      if (isThere === 0) return [];
      return { id: own, notice: { ...notice, createdAt: now }, target, state, attempts: 0, since: now };
    });
  }

  due(
    now: number,
    limit: number,
    except: readonly string[] = [],
  ): { deliveries: Delivery[]; next: number | null } {
    const left = JSON.stringify(except);
    const deliveries = this.#queries.due.all([now, left, limit]).map(deliveryOf);
    return { deliveries, next: this.#queries.next.get([now])?.next ?? null };
  }

  begin(id: string): void {
    this.#queries.begin.run([id]);
  }

  settle(id: string, { state, outcome, nextAt }: DeliveryChange): DeliveryState | undefined {
    const known = this.#queries.stateOf.get([id])?.state;
    if (known === undefined) return undefined;
    // It was answered while it was on its way.
    const isLate = known === 'closing' && (state === 'sent' || state === 'waiting');
    const kept = isLate ? 'closing' : state;
    this.#queries.settle.run([kept, outcome, isLate ? Date.now() : nextAt, Date.now(), id]);
    return kept;
  }

  release(session?: string): number {
    const now = Date.now();
    return this.#queries.release.run([now, now, now, session ?? null, session ?? null]);
  }

  /** A question is answered, withdrawn or expired: whoever was told of it is told that. */
  withdraw(session: string, requestId: string): void {
    const number = this.#queries.about.get([session, requestId])?.number;
    if (number === undefined) return;
    const now = Date.now();
    this.#queries.close.run([now, now, now, number]);
    this.#queries.withdraw.run([now, number]);
  }

  list({
    session,
    targets,
    ...request
  }: PageRequest & { session?: string; targets?: readonly string[] } = {}): Page<Notice> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const wanted = targets === undefined ? null : JSON.stringify(targets);
    const rows = this.#queries.list.all([after, session ?? null, session ?? null, wanted, wanted, limit + 1]);
    const items = rows.slice(0, limit).map((row) => this.#noticeOf(row, wanted));
    const last = rows[limit - 1];
    return rows.length > limit && last ? { items, next: String(last.number) } : { items };
  }

  prune(now: number): void {
    this.#queries.prune.run([LIMITS.noticesKept.most]);
    this.#queries.forget.run([now - CAPABILITY_MEMORY_MS]);
  }

  grant({ id, hash, session, requestId, digest, target, notice, expiresAt }: StoredCapability): void {
    this.#queries.grant.run([id, hash, session, requestId, digest, target, notice, expiresAt]);
  }

  capability(id: string): StoredCapability | undefined {
    const row = this.#queries.capability.get([id]);
    if (!row) return undefined;
    const { hash, session, requestId, digest, target, notice, expiresAt } = row;
    return { id, hash, session, requestId, digest, target, notice, expiresAt };
  }

  #noticeOf(
    { number, id, kind, session, request_id: requestId, title, body, ...row }: NoticeRow,
    wanted: string | null,
  ): Notice {
    const deliveries = this.#queries.deliveries.all([number, wanted, wanted]).map((one) => ({
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

function prepareQueries(database: Database) {
  const isDue = "state IN ('waiting', 'closing')";
  return {
    session: database.prepare('SELECT 1 FROM session WHERE id = ?'),
    isOpen: database.prepare(
      "SELECT 1 FROM permission WHERE session = ? AND request_id = ? AND state = 'open'",
    ),
    add: database.prepare(
      `INSERT INTO notice (id, session, cause, kind, request_id, title, body, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    numberOf: database.prepare<{ number: number }>('SELECT number FROM notice WHERE id = ?'),
    waiting: database.prepare<{ count: number }>(
      `SELECT count(*) AS count FROM notice_delivery WHERE target = ? AND ${isDue}`,
    ),
    deliver: database.prepare(
      `INSERT INTO notice_delivery (id, notice, target, state, attempts, since, next_at, outcome, changed_at)
        SELECT ?, ?, ?, ?, 0, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM notice_target WHERE id = ?)`,
    ),
    due: database.prepare<DeliveryRow & Omit<NoticeRow, 'id'> & { notice_id: string }>(
      `SELECT notice_delivery.id, target, state, attempts, since, notice.id AS notice_id, session, cause, kind,
          request_id, title, body, created_at
        FROM notice_delivery JOIN notice ON notice.number = notice_delivery.notice
        WHERE ${isDue} AND next_at <= ? AND target NOT IN (SELECT value FROM json_each(?))
        ORDER BY notice_delivery.number LIMIT ?`,
    ),
    next: database.prepare<{ next: number | null }>(
      `SELECT min(next_at) AS next FROM notice_delivery WHERE ${isDue} AND next_at > ?`,
    ),
    begin: database.prepare('UPDATE notice_delivery SET attempts = attempts + 1 WHERE id = ?'),
    stateOf: database.prepare<{ state: DeliveryState }>('SELECT state FROM notice_delivery WHERE id = ?'),
    settle: database.prepare(
      'UPDATE notice_delivery SET state = ?, outcome = ?, next_at = ?, changed_at = ? WHERE id = ?',
    ),
    release: database.prepare(
      `UPDATE notice_delivery SET state = 'waiting', next_at = ?, since = ?, changed_at = ? WHERE state = 'held'
        AND (? IS NULL OR notice IN (SELECT number FROM notice WHERE session = ?))`,
    ),
    about: database.prepare<{ number: number }>(
      'SELECT number FROM notice WHERE session = ? AND request_id = ?',
    ),
    close: database.prepare(
      `UPDATE notice_delivery SET state = 'closing', attempts = 0, since = ?, next_at = ?, changed_at = ?
        WHERE notice = ? AND (state = 'sent' OR (state = 'waiting' AND attempts > 0))`,
    ),
    withdraw: database.prepare(
      `UPDATE notice_delivery SET state = 'withdrawn', next_at = NULL, changed_at = ?
        WHERE notice = ? AND state IN ('waiting', 'held')`,
    ),
    list: database.prepare<NoticeRow>(
      `SELECT number, id, session, cause, kind, request_id, title, body, created_at FROM notice
        WHERE number < ? AND (? IS NULL OR session = ?) AND (? IS NULL OR EXISTS (
          SELECT 1 FROM notice_delivery WHERE notice = notice.number
            AND target IN (SELECT value FROM json_each(?))))
        ORDER BY number DESC LIMIT ?`,
    ),
    deliveries: database.prepare<DeliveryRow & { name: string | null }>(
      `SELECT notice_delivery.id, target, state, attempts, outcome, changed_at, next_at,
          CASE WHEN json_valid(facts) THEN json_extract(facts, '$.name') END AS name
        FROM notice_delivery LEFT JOIN notice_target ON notice_target.id = target
        WHERE notice = ? AND (? IS NULL OR target IN (SELECT value FROM json_each(?)))
        ORDER BY notice_delivery.number`,
    ),
    prune: database.prepare('DELETE FROM notice WHERE number <= (SELECT max(number) FROM notice) - ?'),
    forget: database.prepare('DELETE FROM capability WHERE expires_at < ?'),
    grant: database.prepare(
      `INSERT INTO capability (id, hash, session, request_id, digest, target, notice, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    capability: database.prepare<StoredCapability>(
      `SELECT id, hash, session, request_id AS requestId, digest, target, notice, expires_at AS expiresAt
        FROM capability WHERE id = ?`,
    ),
  };
}
