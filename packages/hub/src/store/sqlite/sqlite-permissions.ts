import type { JsonObject } from '@signalbox/protocol';
import type {
  AskParent,
  PermissionAnswer,
  PermissionRequest,
  PermissionState,
} from '@signalbox/protocol/hub';
import type { Page, PageRequest } from '../page.ts';
import type { Permissions } from '../permission.ts';
import { RecordNotFoundError, SessionNotFoundError } from '../store-errors.ts';
import type { Database } from './database.ts';
import { pageBounds, pageOf } from './paging.ts';
import type { Immediate } from './part.ts';
import type { SqliteAudit } from './sqlite-audit.ts';

interface PermissionRow {
  number: number;
  session: string;
  request_id: string;
  request: string;
  parent: string | null;
  state: PermissionState;
  opened_at: number;
  closed_at: number | null;
  answer: string | null;
  is_delivered: number;
}

/** Permission requests in their table. */
export class SqlitePermissions implements Immediate<Permissions> {
  readonly #queries: ReturnType<typeof prepareQueries>;
  readonly #audit: SqliteAudit;

  constructor(database: Database, audit: SqliteAudit) {
    this.#queries = prepareQueries(database);
    this.#audit = audit;
  }

  open(
    session: string,
    requestId: string,
    request: JsonObject,
    parent: AskParent | null = null,
  ): PermissionRequest {
    const known = this.get(session, requestId);
    if (known) return known;
    if (!this.#queries.session.get([session])) throw new SessionNotFoundError(session);
    const origin = parent && JSON.stringify(parent);
    this.#queries.add.run([session, requestId, JSON.stringify(request), origin, Date.now()]);
    return this.#find(session, requestId);
  }

  get(session: string, requestId: string): PermissionRequest | undefined {
    const row = this.#queries.get.get([session, requestId]);
    return row && requestOf(row);
  }

  answer(
    session: string,
    requestId: string,
    answer: PermissionAnswer,
  ): { request: PermissionRequest; isFirst: boolean } {
    const known = this.#find(session, requestId);
    if (known.state !== 'open') return { request: known, isFirst: false };
    const { author, what, why } = answer;
    this.#queries.close.run(['answered', Date.now(), JSON.stringify(answer), session, requestId]);
    this.#audit.add({ session, subject: requestId, author, what, why });
    return { request: this.#find(session, requestId), isFirst: true };
  }

  close(session: string, requestId: string, state: 'withdrawn' | 'expired'): PermissionRequest {
    const known = this.#find(session, requestId);
    if (known.state !== 'open') return known;
    this.#queries.close.run([state, Date.now(), null, session, requestId]);
    const author = { by: state === 'withdrawn' ? ('agent' as const) : ('hub' as const) };
    this.#audit.add({ session, subject: requestId, author, what: state, why: null });
    return this.#find(session, requestId);
  }

  listOpen({ session, ...request }: PageRequest & { session?: string } = {}): Page<PermissionRequest> {
    const { after = 0, limit } = pageBounds(request);
    const rows = this.#queries.listOpen.all([after, session ?? null, session ?? null, limit + 1]);
    return pageOf(rows, limit, ({ number }) => number, requestOf);
  }

  countOpen(): number {
    return this.#queries.countOpen.get()?.count ?? 0;
  }

  listUndelivered(session: string): PermissionRequest[] {
    return this.#queries.listUndelivered.all([session]).map(requestOf);
  }

  markDelivered(session: string, requestId: string): void {
    this.#find(session, requestId);
    this.#queries.markDelivered.run([session, requestId]);
  }

  #find(session: string, requestId: string): PermissionRequest {
    const request = this.get(session, requestId);
    if (!request) throw new RecordNotFoundError(`permission request ${requestId} in session ${session}`);
    return request;
  }
}

function requestOf(row: PermissionRow): PermissionRequest {
  const { session, request_id: requestId, state, opened_at: openedAt, closed_at: closedAt } = row;
  const request: JsonObject = JSON.parse(row.request);
  const parent: AskParent | null = row.parent === null ? null : JSON.parse(row.parent);
  const answer: PermissionAnswer | null = row.answer === null ? null : JSON.parse(row.answer);
  return {
    session,
    requestId,
    request,
    parent,
    state,
    openedAt,
    closedAt,
    answer,
    isDelivered: row.is_delivered === 1,
  };
}

function prepareQueries(database: Database) {
  const columns = `SELECT number, session, request_id, request, parent, state, opened_at, closed_at, answer,
    is_delivered FROM permission`;
  const place = 'session = ? AND request_id = ?';
  return {
    session: database.prepare('SELECT 1 FROM session WHERE id = ?'),
    add: database.prepare(
      `INSERT INTO permission (session, request_id, request, parent, state, opened_at)
        VALUES (?, ?, ?, ?, 'open', ?)`,
    ),
    get: database.prepare<PermissionRow>(`${columns} WHERE ${place}`),
    close: database.prepare(`UPDATE permission SET state = ?, closed_at = ?, answer = ? WHERE ${place}`),
    listOpen: database.prepare<PermissionRow>(
      `${columns} WHERE state = 'open' AND number > ? AND (? IS NULL OR session = ?) ORDER BY number LIMIT ?`,
    ),
    countOpen: database.prepare<{ count: number }>(
      "SELECT count(*) AS count FROM permission WHERE state = 'open'",
    ),
    listUndelivered: database.prepare<PermissionRow>(
      `${columns} WHERE session = ? AND state = 'answered' AND is_delivered = 0 ORDER BY number`,
    ),
    markDelivered: database.prepare(`UPDATE permission SET is_delivered = 1 WHERE ${place}`),
  };
}
