import { type JsonObject, LIMITS, parseJson } from '@signalbox/protocol';
import type {
  AskParent,
  Author,
  Page,
  PageRequest,
  PermissionAnswer,
  PermissionRequest,
  PermissionState,
} from '@signalbox/protocol/hub';
import type { PastRequest, Permissions } from '../permission.ts';
import { RecordNotFoundError, SessionNotFoundError } from '../store-errors.ts';
import type { Database } from './database.ts';
import { itemsWithin, pageBounds } from './paging.ts';
import type { Immediate } from './part.ts';
import type { SqliteAudit } from './sqlite-audit.ts';
import type { SqliteNotices } from './sqlite-notices.ts';
import { storedJson } from './stored-json.ts';

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

interface PastRow extends Pick<PermissionRow, 'session' | 'request_id' | 'request' | 'state' | 'opened_at'> {
  author: string | null;
  what: string | null;
}

interface SizeRow {
  number: number;
  session: string;
  request_id: string;
  bytes: number;
}

/** Permission requests in their table. */
export class SqlitePermissions implements Immediate<Permissions> {
  readonly #queries: ReturnType<typeof prepareQueries>;
  readonly #audit: SqliteAudit;
  readonly #notices: SqliteNotices;

  constructor(database: Database, audit: SqliteAudit, notices: SqliteNotices) {
    this.#queries = prepareQueries(database);
    this.#audit = audit;
    this.#notices = notices;
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
    this.#end(session, requestId, 'answered', JSON.stringify(answer));
    this.#audit.add({ session, subject: requestId, author, what, why });
    return { request: this.#find(session, requestId), isFirst: true };
  }

  close(session: string, requestId: string, state: 'withdrawn' | 'expired'): PermissionRequest {
    const known = this.#find(session, requestId);
    if (known.state !== 'open') return known;
    this.#end(session, requestId, state);
    const author = { by: state === 'withdrawn' ? ('agent' as const) : ('hub' as const) };
    this.#audit.add({ session, subject: requestId, author, what: state, why: null });
    return this.#find(session, requestId);
  }

  listOpen({ session, ...request }: PageRequest & { session?: string } = {}): Page<PermissionRequest> {
    const { after = 0, limit } = pageBounds(request);
    const sizes = this.#queries.openSizes.all([after, session ?? null, session ?? null, limit + 1]);
    const count = itemsWithin(sizes, limit);
    const last = sizes[count - 1]?.number ?? after;
    const rows = this.#queries.listOpen.all([after, last, session ?? null, session ?? null]);
    const page: Page<PermissionRequest> = { items: rows.map(requestOf) };
    return sizes.length > count ? { ...page, next: String(last) } : page;
  }

  listPast(request: PageRequest = {}): Page<PastRequest> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const sizes = this.#queries.pastSizes.all([after, limit + 1]);
    const count = itemsWithin(sizes, limit);
    const last = sizes[count - 1]?.number ?? after;
    const items = this.#queries.listPast.all([after, last]).flatMap(pastRequestOf);
    return sizes.length > count ? { items, next: String(last) } : { items };
  }

  countOpen(): number {
    return this.#queries.countOpen.get()?.count ?? 0;
  }

  openBytes(): { session: string; bytes: number }[] {
    return this.#queries.openBytes.all();
  }

  expireLeft(): void {
    for (const { session, request_id: requestId } of this.#queries.left.all())
      this.#expire(session, requestId);
  }

  expireUnread(): { session: string; requestId: string }[] {
    const open = this.#queries.openSizes.all([0, null, null, -1]);
    const unread = open.filter(
      ({ number, bytes }) => bytes > LIMITS.askBytes.most || !isReadable(this.#queries.request.get([number])),
    );
    for (const { session, request_id: requestId } of unread) this.#expire(session, requestId);
    return unread.map(({ session, request_id: requestId }) => ({ session, requestId }));
  }

  listUndelivered(session: string): PermissionRequest[] {
    return this.#queries.listUndelivered.all([session]).map(requestOf);
  }

  markDelivered(session: string, requestId: string): void {
    this.#find(session, requestId);
    this.#queries.markDelivered.run([session, requestId]);
  }

  /** Whoever was told of the question hears that it is over: in the same commit, so that a kill loses neither. */
  #end(session: string, requestId: string, state: PermissionState, answer: string | null = null): void {
    this.#queries.close.run([state, Date.now(), answer, session, requestId]);
    this.#notices.withdraw(session, requestId);
  }

  #expire(session: string, requestId: string): void {
    this.#end(session, requestId, 'expired');
    this.#audit.add({ session, subject: requestId, author: { by: 'hub' }, what: 'expired', why: null });
  }

  #find(session: string, requestId: string): PermissionRequest {
    const request = this.get(session, requestId);
    if (!request) throw new RecordNotFoundError(`permission request ${requestId} in session ${session}`);
    return request;
  }
}

/** None where it cannot be read. */
function pastRequestOf({
  session,
  request_id: requestId,
  state,
  opened_at: openedAt,
  ...row
}: PastRow): PastRequest[] {
  try {
    const subject = `permission request ${requestId} of session ${session}`;
    const request: JsonObject = storedJson(row.request, subject);
    const { author, what } = row;
    const by: Author | null = author === null ? null : storedJson(author, subject);
    const answer = by && what !== null ? { author: by, what } : null;
    return [{ session, requestId, request, state, openedAt, answer }];
  } catch {
    return [];
  }
}

function requestOf(row: PermissionRow): PermissionRequest {
  const { session, request_id: requestId, state, opened_at: openedAt, closed_at: closedAt } = row;
  const known = { session, requestId, state, openedAt, closedAt, isDelivered: row.is_delivered === 1 };
  try {
    const what = `permission request ${requestId} of session ${session}`;
    const request: JsonObject = storedJson(row.request, what);
    const parent: AskParent | null = row.parent === null ? null : storedJson(row.parent, what);
    const answer: PermissionAnswer | null = row.answer === null ? null : storedJson(row.answer, what);
    return { ...known, request, parent, answer };
  } catch {
    // One that cannot be read must not keep all others from being listed.
    return { ...known, request: {}, parent: null, answer: null, unread: true };
  }
}

function isReadable(row: { request: string } | undefined): boolean {
  if (!row) return false;
  try {
    parseJson(row.request, LIMITS.contentDepth);
    return true;
  } catch {
    return false;
  }
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
      `${columns} WHERE state = 'open' AND number > ? AND number <= ? AND (? IS NULL OR session = ?)
        ORDER BY number`,
    ),
    openSizes: database.prepare<SizeRow>(
      `SELECT number, session, request_id, octet_length(request) AS bytes FROM permission
        WHERE state = 'open' AND number > ? AND (? IS NULL OR session = ?) ORDER BY number LIMIT ?`,
    ),
    // What the agent was told has the whole input once more, and nobody needs it here.
    listPast: database.prepare<PastRow>(
      `SELECT session, request_id, request, state, opened_at,
        CASE WHEN json_valid(answer) THEN json_extract(answer, '$.author') END AS author,
        CASE WHEN json_valid(answer) THEN json_extract(answer, '$.what') END AS what
        FROM permission WHERE number < ? AND number >= ? ORDER BY number DESC`,
    ),
    pastSizes: database.prepare<SizeRow>(
      `SELECT number, session, request_id, octet_length(request) + coalesce(octet_length(answer), 0) AS bytes
        FROM permission WHERE number < ? ORDER BY number DESC LIMIT ?`,
    ),
    openBytes: database.prepare<{ session: string; bytes: number }>(
      `SELECT session, sum(octet_length(request)) AS bytes FROM permission WHERE state = 'open' GROUP BY session`,
    ),
    request: database.prepare<{ request: string }>('SELECT request FROM permission WHERE number = ?'),
    left: database.prepare<{ session: string; request_id: string }>(
      `SELECT permission.session, request_id FROM permission JOIN session ON session.id = permission.session
        WHERE permission.state = 'open' AND session.state = 'exited'`,
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
