import type {
  AuditEntry,
  DeliveryChange,
  Device,
  DeviceGrant,
  KeptAnswer,
  Launch,
  NewNotice,
  SpendRow,
  StoredBudget,
  StoredCapability,
  StoredComment,
  StoredIteration,
  StoredLoop,
  StoredRule,
  StoredTarget,
} from '@signalbox/hub/store';
import { SessionNotFoundError } from '@signalbox/hub/store';
import type { JsonObject } from '@signalbox/protocol';
import type { PermissionRequest, Prompt, Session } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { MemoryLine } from './memory-record.ts';

/** A row and its place in the order of its table. */
export interface Row<Value> {
  number: number;
  value: Value;
}

/** What is kept of a session. */
export interface SessionRow {
  session: Session;
  isImporting: boolean;
  /** The position of its last update, among those of all sessions. */
  updated: number;
  generation: number;
  position: LinkPosition | undefined;
  /** The number of the last entry that was taken away; `lines` follow it. */
  trimmed: number;
  lines: readonly MemoryLine[];
  launch: Launch | undefined;
}

/** A notice on its way to one target. */
export interface DeliveryRow extends DeliveryChange {
  id: string;
  notice: string;
  target: string;
  attempts: number;
  since: number;
  changedAt: number;
}

export interface KeptRow extends KeptAnswer {
  made: string;
  begunAt: number;
  expiresAt: number;
}

/** All rows of the store. Values are never changed, but put in the place of each other: so each change can be undone. */
export class Tables {
  readonly sessions = new Map<string, Row<SessionRow>>();
  readonly prompts = new Map<string, Row<{ prompt: Prompt; sent: string }>>();
  readonly permissions = new Map<string, Row<PermissionRequest>>();
  readonly rules = new Map<string, Row<StoredRule>>();
  readonly budgets = new Map<string, Row<StoredBudget>>();
  /** Rows of spend by all that they are told apart by. */
  readonly spend = new Map<string, Row<SpendRow & { session: string }>>();
  readonly meters = new Map<string, Row<JsonObject>>();
  readonly targets = new Map<string, Row<StoredTarget>>();
  readonly notices = new Map<string, Row<NewNotice & { createdAt: number }>>();
  readonly deliveries = new Map<string, Row<DeliveryRow>>();
  readonly capabilities = new Map<string, Row<StoredCapability>>();
  readonly audit = new Map<number, Row<AuditEntry>>();
  readonly devices = new Map<string, Row<{ device: Device; token: string }>>();
  readonly links = new Map<string, Row<{ grant: DeviceGrant; by: string | undefined; expiresAt: number }>>();
  readonly answers = new Map<string, Row<KeptRow>>();
  readonly loops = new Map<string, Row<StoredLoop>>();
  /** The ids of removed sessions, by the position of their end. */
  readonly removals = new Map<number, Row<string>>();
  readonly comments = new Map<string, Row<{ session: string; comment: StoredComment }>>();
  readonly iterations = new Map<string, Row<readonly StoredIteration[]>>();
  #last = 0;
  #position = 0;
  #undo: (() => void)[] = [];

  /** Put a value in the place of the one before, or behind all others. */
  put<Key, Value>(table: Map<Key, Row<Value>>, key: Key, value: Value): Value {
    const before = table.get(key);
    this.#last += 1;
    table.set(key, { number: before?.number ?? this.#last, value });
    this.#undo.push(() => (before ? table.set(key, before) : table.delete(key)));
    return value;
  }

  remove<Key, Value>(table: Map<Key, Row<Value>>, key: Key): void {
    const before = table.get(key);
    if (!before) return;
    table.delete(key);
    this.#undo.push(() => table.set(key, before));
  }

  /** All that `work` does, or nothing of it. */
  together<Result>(work: () => Result): Result {
    this.#undo = [];
    try {
      return work();
    } catch (error) {
      for (const undo of this.#undo.toReversed()) undo();
      throw error;
    }
  }

  /** A target of notices, and all that is known of what became of them there. */
  forgetTarget(id: string): void {
    this.remove(this.targets, id);
    for (const { value } of inOrder(this.deliveries))
      if (value.target === id) this.remove(this.deliveries, value.id);
    for (const { value } of inOrder(this.capabilities))
      if (value.target === id) this.remove(this.capabilities, value.id);
  }

  /** All that people were told of a session, and the targets for it alone. */
  forgetNotices(session: string): void {
    for (const { value } of inOrder(this.targets)) if (value.session === session) this.forgetTarget(value.id);
    for (const { value } of inOrder(this.notices))
      if (value.session === session) this.remove(this.notices, value.id);
    for (const { value } of inOrder(this.deliveries))
      if (!this.notices.has(value.notice)) this.remove(this.deliveries, value.id);
    for (const { value } of inOrder(this.capabilities))
      if (value.session === session) this.remove(this.capabilities, value.id);
  }

  /** The position of the last update of a session. */
  get position(): number {
    return this.#position;
  }

  /** The position of another one. */
  nextPosition(): number {
    this.#position += 1;
    return this.#position;
  }

  /** The next number of an audit entry. */
  get next(): number {
    return this.#last + 1;
  }

  /** Raises `STORE_SESSION_NOT_FOUND`. */
  session(id: string): SessionRow {
    const row = this.sessions.get(id);
    if (!row) throw new SessionNotFoundError(id);
    return row.value;
  }

  change(id: string, change: Partial<SessionRow>): void {
    this.put(this.sessions, id, { ...this.session(id), ...change });
  }
}

/** Rows in their order. */
export function inOrder<Value>(table: ReadonlyMap<unknown, Row<Value>>): Row<Value>[] {
  return [...table.values()].toSorted((one, other) => one.number - other.number);
}
