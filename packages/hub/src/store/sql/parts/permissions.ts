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
import type { PastRequest, Permissions } from '../../permission.ts';
import { RecordNotFoundError, SessionNotFoundError } from '../../store-errors.ts';
import { itemsWithin, pageBounds } from '../paging.ts';
import type { InSteps } from '../part.ts';
import { Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';
import type { SqlAudit } from './audit.ts';
import type { SqlNotices } from './notices.ts';

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
export class SqlPermissions implements InSteps<Permissions> {
  readonly #audit: SqlAudit;
  readonly #notices: SqlNotices;

  constructor(audit: SqlAudit, notices: SqlNotices) {
    this.#audit = audit;
    this.#notices = notices;
  }

  *open(
    session: string,
    requestId: string,
    request: JsonObject,
    parent: AskParent | null = null,
  ): Steps<PermissionRequest> {
    const known = yield* this.get(session, requestId);
    if (known) return known;
    if (!(yield* QUERIES.session.get([session]))) throw new SessionNotFoundError(session);
    const origin = parent && JSON.stringify(parent);
    yield* QUERIES.add.run([session, requestId, JSON.stringify(request), origin, Date.now()]);
    return yield* this.#find(session, requestId);
  }

  *get(session: string, requestId: string): Steps<PermissionRequest | undefined> {
    const row = yield* QUERIES.get.get([session, requestId]);
    return row && requestOf(row);
  }

  *answer(
    session: string,
    requestId: string,
    answer: PermissionAnswer,
  ): Steps<{ request: PermissionRequest; isFirst: boolean }> {
    const known = yield* this.#find(session, requestId);
    if (known.state !== 'open') return { request: known, isFirst: false };
    const { author, what, why } = answer;
    yield* this.#end(session, requestId, 'answered', JSON.stringify(answer));
    yield* this.#audit.add({ session, subject: requestId, author, what, why });
    return { request: yield* this.#find(session, requestId), isFirst: true };
  }

  *close(session: string, requestId: string, state: 'withdrawn' | 'expired'): Steps<PermissionRequest> {
    const known = yield* this.#find(session, requestId);
    if (known.state !== 'open') return known;
    yield* this.#end(session, requestId, state);
    const author = { by: state === 'withdrawn' ? ('agent' as const) : ('hub' as const) };
    yield* this.#audit.add({ session, subject: requestId, author, what: state, why: null });
    return yield* this.#find(session, requestId);
  }

  *listOpen({
    session,
    ...request
  }: PageRequest & { session?: string } = {}): Steps<Page<PermissionRequest>> {
    const { after = 0, limit } = pageBounds(request);
    const sizes = yield* QUERIES.openSizes.all([after, session ?? null, session ?? null, limit + 1]);
    const count = itemsWithin(sizes, limit);
    const last = sizes[count - 1]?.number ?? after;
    const rows = yield* QUERIES.listOpen.all([after, last, session ?? null, session ?? null]);
    const page: Page<PermissionRequest> = { items: rows.map(requestOf) };
    return sizes.length > count ? { ...page, next: String(last) } : page;
  }

  *listPast(request: PageRequest = {}): Steps<Page<PastRequest>> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const sizes = yield* QUERIES.pastSizes.all([after, limit + 1]);
    const count = itemsWithin(sizes, limit);
    const last = sizes[count - 1]?.number ?? after;
    const items = (yield* QUERIES.listPast.all([after, last])).flatMap(pastRequestOf);
    return sizes.length > count ? { items, next: String(last) } : { items };
  }

  *countOpen(): Steps<number> {
    return (yield* QUERIES.countOpen.get())?.count ?? 0;
  }

  *openBytes(): Steps<{ session: string; bytes: number }[]> {
    return yield* QUERIES.openBytes.all();
  }

  *expireLeft(): Steps<void> {
    for (const { session, request_id: requestId } of yield* QUERIES.left.all())
      yield* this.#expire(session, requestId);
  }

  *expireUnread(): Steps<{ session: string; requestId: string }[]> {
    const open = yield* QUERIES.openSizes.all([0, null, null, Number.MAX_SAFE_INTEGER]);
    const unread: SizeRow[] = [];
    for (const row of open)
      if (row.bytes > LIMITS.askBytes.most || !isReadable(yield* QUERIES.request.get([row.number])))
        unread.push(row);
    for (const { session, request_id: requestId } of unread) yield* this.#expire(session, requestId);
    return unread.map(({ session, request_id: requestId }) => ({ session, requestId }));
  }

  *listUndelivered(session: string): Steps<PermissionRequest[]> {
    return (yield* QUERIES.listUndelivered.all([session])).map(requestOf);
  }

  *markDelivered(session: string, requestId: string): Steps<void> {
    yield* this.#find(session, requestId);
    yield* QUERIES.markDelivered.run([session, requestId]);
  }

  /** Whoever was told of the question hears that it is over: in the same commit, so that a kill loses neither. */
  *#end(
    session: string,
    requestId: string,
    state: PermissionState,
    answer: string | null = null,
  ): Steps<void> {
    yield* QUERIES.close.run([state, Date.now(), answer, session, requestId]);
    yield* this.#notices.withdraw(session, requestId);
  }

  *#expire(session: string, requestId: string): Steps<void> {
    yield* this.#end(session, requestId, 'expired');
    yield* this.#audit.add({
      session,
      subject: requestId,
      author: { by: 'hub' },
      what: 'expired',
      why: null,
    });
  }

  *#find(session: string, requestId: string): Steps<PermissionRequest> {
    const request = yield* this.get(session, requestId);
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

const QUERIES = queries();

function queries() {
  const columns = `SELECT number, session, request_id, request, parent, state, opened_at, closed_at, answer,
    is_delivered FROM permission`;
  const place = 'session = ? AND request_id = ?';
  return {
    session: new Statement('SELECT 1 FROM session WHERE id = ?'),
    add: new Statement(
      `INSERT INTO permission (session, request_id, request, parent, state, opened_at)
        VALUES (?, ?, ?, ?, 'open', ?)`,
    ),
    get: new Statement<PermissionRow>(`${columns} WHERE ${place}`),
    close: new Statement(`UPDATE permission SET state = ?, closed_at = ?, answer = ? WHERE ${place}`),
    listOpen: new Statement<PermissionRow>(
      `${columns} WHERE state = 'open' AND number > ? AND number <= ? AND (CAST(? AS TEXT) IS NULL OR session = ?)
        ORDER BY number`,
    ),
    openSizes: new Statement<SizeRow>(
      `SELECT number, session, request_id, octet_length(request) AS bytes FROM permission
        WHERE state = 'open' AND number > ? AND (CAST(? AS TEXT) IS NULL OR session = ?) ORDER BY number LIMIT ?`,
    ),
    // What the agent was told has the whole input once more, and nobody needs it here.
    listPast: new Statement<PastRow>(
      (sql) => `SELECT session, request_id, request, state, opened_at,
        ${sql.textAt('answer', 'author')} AS author,
        ${sql.textAt('answer', 'what')} AS what
        FROM permission WHERE number < ? AND number >= ? ORDER BY number DESC`,
    ),
    pastSizes: new Statement<SizeRow>(
      `SELECT number, session, request_id, octet_length(request) + coalesce(octet_length(answer), 0) AS bytes
        FROM permission WHERE number < ? ORDER BY number DESC LIMIT ?`,
    ),
    openBytes: new Statement<{ session: string; bytes: number }>(
      `SELECT session, sum(octet_length(request)) AS bytes FROM permission WHERE state = 'open' GROUP BY session`,
    ),
    request: new Statement<{ request: string }>('SELECT request FROM permission WHERE number = ?'),
    left: new Statement<{ session: string; request_id: string }>(
      `SELECT permission.session, request_id FROM permission JOIN session ON session.id = permission.session
        WHERE permission.state = 'open' AND session.state = 'exited'`,
    ),
    countOpen: new Statement<{ count: number }>(
      "SELECT count(*) AS count FROM permission WHERE state = 'open'",
    ),
    listUndelivered: new Statement<PermissionRow>(
      `${columns} WHERE session = ? AND state = 'answered' AND is_delivered = 0 ORDER BY number`,
    ),
    markDelivered: new Statement(`UPDATE permission SET is_delivered = 1 WHERE ${place}`),
  };
}
