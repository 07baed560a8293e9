import {
  type Delivery,
  type DeliveryChange,
  type NewNotice,
  RecordNotFoundError,
  type StoredCapability,
  type StoredTarget,
  StoreLimitError,
} from '@signalbox/hub/store';
import { LIMITS } from '@signalbox/protocol';
import type { DeliveryState, Notice, Page, PageRequest } from '@signalbox/protocol/hub';
import { pageOf } from './page.ts';
import { type DeliveryRow, inOrder, type Tables } from './tables.ts';

const CAPABILITY_MEMORY_MS = 7 * 24 * 60 * 60_000;

/** What people are told, where, and what became of it. */
export class MemoryNotices {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  add(
    notice: NewNotice,
    deliveries: readonly { target: string; state: DeliveryState; outcome?: string }[],
  ): Delivery[] {
    const { notices, permissions, targets } = this.#tables;
    const { id, session, cause, requestId } = notice;
    if (session !== null) this.#tables.session(session);
    const asked = requestId === null ? undefined : permissions.get(JSON.stringify([session, requestId]));
    if (session !== null && requestId !== null && asked?.value.state !== 'open') return [];
    const isKnown = inOrder(notices).some(
      ({ value }) => session !== null && value.session === session && value.cause === cause,
    );
    if (isKnown) return [];
    const createdAt = Date.now();
    this.#tables.put(notices, id, { ...notice, createdAt });
    return deliveries.flatMap(({ target, state: first, outcome = null }, at) => {
      if (!targets.has(target)) return [];
      const waiting = this.#deliveries().filter((one) => one.target === target && isDue(one));
      const isFull = waiting.length >= LIMITS.noticesWaiting.most;
      const state = isFull ? 'failed' : first;
      const row: DeliveryRow = {
        id: `${id}-${at}`,
        notice: id,
        target,
        state,
        attempts: 0,
        since: createdAt,
        nextAt: state === 'waiting' ? createdAt : null,
        outcome: isFull ? `${LIMITS.noticesWaiting.most} notices wait for this target already` : outcome,
        changedAt: createdAt,
      };
      this.#put(row);
      return this.#deliveryOf(row);
    });
  }

  due(
    now: number,
    limit: number,
    except: readonly string[] = [],
  ): { deliveries: Delivery[]; next: number | null } {
    const all = this.#deliveries().filter(isDue);
    const due = all.filter(({ nextAt, target }) => (nextAt ?? 0) <= now && !except.includes(target));
    const later = all.flatMap(({ nextAt }) => (nextAt !== null && nextAt > now ? nextAt : []));
    return {
      deliveries: due.slice(0, limit).flatMap((row) => this.#deliveryOf(row)),
      next: later.length > 0 ? Math.min(...later) : null,
    };
  }

  begin(id: string): void {
    const row = this.#tables.deliveries.get(id)?.value;
    if (row) this.#put({ ...row, attempts: row.attempts + 1 });
  }

  settle(id: string, { state, outcome, nextAt }: DeliveryChange): DeliveryState | undefined {
    const row = this.#tables.deliveries.get(id)?.value;
    if (!row) return undefined;
    const isLate = row.state === 'closing' && (state === 'sent' || state === 'waiting');
    const now = Date.now();
    const kept = isLate ? 'closing' : state;
    this.#put({ ...row, state: kept, outcome, nextAt: isLate ? now : nextAt, changedAt: now });
    return kept;
  }

  release(session?: string): number {
    const held = this.#deliveries().filter(
      ({ state, notice }) =>
        state === 'held' &&
        (session === undefined || this.#tables.notices.get(notice)?.value.session === session),
    );
    const now = Date.now();
    for (const row of held) this.#put({ ...row, state: 'waiting', since: now, nextAt: now, changedAt: now });
    return held.length;
  }

  withdraw(session: string, requestId: string): void {
    const about = inOrder(this.#tables.notices).find(
      ({ value }) => value.session === session && value.requestId === requestId,
    );
    const now = Date.now();
    for (const row of this.#deliveries().filter(({ notice }) => notice === about?.value.id)) {
      const { state, attempts } = row;
      if (state === 'sent' || (state === 'waiting' && attempts > 0))
        this.#put({ ...row, state: 'closing', attempts: 0, since: now, nextAt: now, changedAt: now });
      else if (state === 'waiting' || state === 'held')
        this.#put({ ...row, state: 'withdrawn', nextAt: null, changedAt: now });
    }
  }

  list({
    session,
    targets,
    ...request
  }: PageRequest & { session?: string; targets?: readonly string[] } = {}): Page<Notice> {
    const isWanted = ({ target }: DeliveryRow): boolean => targets?.includes(target) ?? true;
    const rows = inOrder(this.#tables.notices).flatMap(({ number, value }) => {
      const { cause: _, ...notice } = value;
      const deliveries = this.#deliveries()
        .filter((one) => one.notice === value.id && isWanted(one))
        .map(({ notice: __, since: ___, ...one }) => ({
          ...one,
          targetName: this.#tables.targets.get(one.target)?.value.name ?? '',
        }));
      const isListed = session === undefined || value.session === session;
      if (!isListed || (targets && deliveries.length === 0)) return [];
      return { number, value: { ...notice, deliveries } };
    });
    return pageOf(rows, request, 'newest');
  }

  prune(now: number): void {
    const all = inOrder(this.#tables.notices);
    for (const { value } of all.slice(0, Math.max(0, all.length - LIMITS.noticesKept.most))) {
      this.#tables.remove(this.#tables.notices, value.id);
      for (const one of this.#deliveries())
        if (one.notice === value.id) this.#tables.remove(this.#tables.deliveries, one.id);
    }
    for (const { value } of inOrder(this.#tables.capabilities))
      if (value.expiresAt < now - CAPABILITY_MEMORY_MS)
        this.#tables.remove(this.#tables.capabilities, value.id);
  }

  addTarget(target: StoredTarget): StoredTarget {
    const { targets } = this.#tables;
    if (target.session !== null) this.#tables.session(target.session);
    for (const { value } of inOrder(targets)) {
      const isSame = value.type === 'push' && target.type === 'push' && value.url === target.url;
      if (isSame && value.id !== target.id) this.removeTarget(value.id);
    }
    if (!targets.has(target.id) && targets.size >= LIMITS.noticeTargets.most)
      throw new StoreLimitError('Too many targets of notices');
    return this.#tables.put(targets, target.id, target);
  }

  targets(): StoredTarget[] {
    return inOrder(this.#tables.targets).map(({ value }) => value);
  }

  retireTarget(id: string, why: string): StoredTarget {
    const now = Date.now();
    const retired = { ...this.#target(id), retired: { at: now, why } };
    this.#tables.put(this.#tables.targets, id, retired);
    for (const row of this.#deliveries())
      if (row.target === id && (isDue(row) || row.state === 'held'))
        this.#put({ ...row, state: 'failed', outcome: why, nextAt: null, changedAt: now });
    return retired;
  }

  removeTarget(id: string): StoredTarget {
    const target = this.#target(id);
    this.#tables.forgetTarget(id);
    return target;
  }

  grant(capability: StoredCapability): void {
    this.#tables.put(this.#tables.capabilities, capability.id, capability);
  }

  capability(id: string): StoredCapability | undefined {
    return this.#tables.capabilities.get(id)?.value;
  }

  #target(id: string): StoredTarget {
    const target = this.#tables.targets.get(id)?.value;
    if (!target) throw new RecordNotFoundError(`target ${id} of notices`);
    return target;
  }

  #deliveries(): DeliveryRow[] {
    return inOrder(this.#tables.deliveries).map(({ value }) => value);
  }

  #put(row: DeliveryRow): void {
    this.#tables.put(this.#tables.deliveries, row.id, row);
  }

  #deliveryOf({ id, notice, target, state, attempts, since }: DeliveryRow): Delivery[] {
    const about = this.#tables.notices.get(notice)?.value;
    return about ? [{ id, notice: about, target, state, attempts, since }] : [];
  }
}

function isDue({ state }: DeliveryRow): boolean {
  return state === 'waiting' || state === 'closing';
}
