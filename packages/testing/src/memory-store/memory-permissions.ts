import { type AuditEntry, type Decision, type PastRequest, RecordNotFoundError } from '@signalbox/hub/store';
import { type JsonObject, LIMITS } from '@signalbox/protocol';
import type {
  AskParent,
  Page,
  PageRequest,
  PermissionAnswer,
  PermissionRequest,
} from '@signalbox/protocol/hub';
import type { MemoryNotices } from './memory-notices.ts';
import { pageOf } from './page.ts';
import { inOrder, type Tables } from './tables.ts';

/** Who decided what. */
export class MemoryAudit {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  add(decision: Decision): AuditEntry {
    const id = this.#tables.next;
    return this.#tables.put(this.#tables.audit, id, { id, time: Date.now(), ...decision });
  }

  list({ session, ...request }: PageRequest & { session?: string } = {}): Page<AuditEntry> {
    const rows = inOrder(this.#tables.audit).filter(
      ({ value }) => session === undefined || value.session === session,
    );
    return pageOf(rows, request, 'newest');
  }
}

/** What agents ask, and what people answered. */
export class MemoryPermissions {
  readonly #tables: Tables;
  readonly #audit: MemoryAudit;
  readonly #notices: MemoryNotices;

  constructor(tables: Tables, audit: MemoryAudit, notices: MemoryNotices) {
    this.#tables = tables;
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
    this.#tables.session(session);
    const rest = {
      state: 'open',
      openedAt: Date.now(),
      closedAt: null,
      answer: null,
      isDelivered: false,
    } as const;
    return this.#put({ session, requestId, request, parent, ...rest });
  }

  get(session: string, requestId: string): PermissionRequest | undefined {
    return this.#tables.permissions.get(keyOf(session, requestId))?.value;
  }

  answer(
    session: string,
    requestId: string,
    answer: PermissionAnswer,
  ): { request: PermissionRequest; isFirst: boolean } {
    const known = this.#find(session, requestId);
    if (known.state !== 'open') return { request: known, isFirst: false };
    const { author, what, why } = answer;
    this.#audit.add({ session, subject: requestId, author, what, why });
    this.#notices.withdraw(session, requestId);
    return {
      request: this.#put({ ...known, state: 'answered', closedAt: Date.now(), answer }),
      isFirst: true,
    };
  }

  close(session: string, requestId: string, state: 'withdrawn' | 'expired'): PermissionRequest {
    const known = this.#find(session, requestId);
    if (known.state !== 'open') return known;
    const author = { by: state === 'withdrawn' ? 'agent' : 'hub' } as const;
    this.#audit.add({ session, subject: requestId, author, what: state, why: null });
    this.#notices.withdraw(session, requestId);
    return this.#put({ ...known, state, closedAt: Date.now() });
  }

  listOpen({ session, ...request }: PageRequest & { session?: string } = {}): Page<PermissionRequest> {
    const rows = inOrder(this.#tables.permissions).filter(
      ({ value }) => value.state === 'open' && (session === undefined || value.session === session),
    );
    return pageOf(rows, request, 'oldest');
  }

  listPast(request: PageRequest = {}): Page<PastRequest> {
    const rows = inOrder(this.#tables.permissions).map(({ number, value }) => {
      const { session, requestId, request: asked, state, openedAt, answer } = value;
      const { author, what } = answer ?? {};
      const kept = author && what !== undefined ? { author, what } : null;
      return { number, value: { session, requestId, request: asked, state, openedAt, answer: kept } };
    });
    return pageOf(rows, request, 'newest');
  }

  countOpen(): number {
    return this.#open().length;
  }

  openBytes(): { session: string; bytes: number }[] {
    const bytes = new Map<string, number>();
    for (const { session, request } of this.#open())
      bytes.set(session, (bytes.get(session) ?? 0) + bytesOf(request));
    return Array.from(bytes, ([session, sum]) => ({ session, bytes: sum }));
  }

  expireLeft(): void {
    for (const { session, requestId } of this.#open())
      if (this.#tables.session(session).session.state === 'exited') this.close(session, requestId, 'expired');
  }

  expireUnread(): { session: string; requestId: string }[] {
    const unread = this.#open().filter(({ request }) => bytesOf(request) > LIMITS.askBytes.most);
    for (const { session, requestId } of unread) this.close(session, requestId, 'expired');
    return unread.map(({ session, requestId }) => ({ session, requestId }));
  }

  listUndelivered(session: string): PermissionRequest[] {
    return inOrder(this.#tables.permissions)
      .map(({ value }) => value)
      .filter((one) => one.session === session && one.state === 'answered' && !one.isDelivered);
  }

  markDelivered(session: string, requestId: string): void {
    this.#put({ ...this.#find(session, requestId), isDelivered: true });
  }

  #open(): PermissionRequest[] {
    return inOrder(this.#tables.permissions)
      .map(({ value }) => value)
      .filter(({ state }) => state === 'open');
  }

  #find(session: string, requestId: string): PermissionRequest {
    const request = this.get(session, requestId);
    if (!request) throw new RecordNotFoundError(`permission request ${requestId} in session ${session}`);
    return request;
  }

  #put(request: PermissionRequest): PermissionRequest {
    return this.#tables.put(this.#tables.permissions, keyOf(request.session, request.requestId), request);
  }
}

function keyOf(session: string, requestId: string): string {
  return JSON.stringify([session, requestId]);
}

function bytesOf(request: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(request));
}
