import { randomBytes } from 'node:crypto';
import {
  type Admission,
  type BegunRequest,
  type Device,
  type DeviceGrant,
  type DeviceQuery,
  type KeptAnswer,
  MAX_KEPT_ANSWER_BYTES,
  RecordNotFoundError,
  StoreLimitError,
  signInDecision,
} from '@signalbox/hub/store';
import { LIMITS } from '@signalbox/protocol';
import type { Page } from '@signalbox/protocol/hub';
import type { MemoryAudit } from './memory-permissions.ts';
import { pageOf } from './page.ts';
import { inOrder, type KeptRow, type Tables } from './tables.ts';

/** The status of a request that has begun and was not answered. */
const UNANSWERED = 0;

/** Devices, their tokens and the links that bring a new one in. */
export class MemoryDevices {
  readonly #tables: Tables;
  readonly #audit: MemoryAudit;

  constructor(tables: Tables, audit: MemoryAudit) {
    this.#tables = tables;
    this.#audit = audit;
  }

  add(grant: DeviceGrant, id: string = crypto.randomUUID()): Admission {
    const token = `${id}.${randomBytes(32).toString('base64url')}`;
    const rest = { createdAt: Date.now(), lastSeenAt: null, revokedAt: null };
    const device: Device = { id, kind: 'person', expiresAt: null, ...grant, ...rest };
    this.#tables.put(this.#tables.devices, id, { device, token });
    return { device, token };
  }

  authenticate(token: string): Device | undefined {
    const row = this.#tables.devices.get(token.split('.')[0] ?? '')?.value;
    if (!row || row.token !== token) return undefined;
    if (isGood(row.device)) return row.device;
    this.revoke(row.device.id);
    return undefined;
  }

  noteSeen(id: string): Device {
    return this.#change(id, { lastSeenAt: Date.now() });
  }

  get(id: string): Device | undefined {
    return this.#tables.devices.get(id)?.value.device;
  }

  list({ kind, session, ...request }: DeviceQuery = {}): Page<Device> {
    const rows = inOrder(this.#tables.devices)
      .map(({ number, value }) => ({ number, value: value.device }))
      .filter(({ value }) => kind === undefined || value.kind === kind)
      .filter(({ value }) => session === undefined || value.session === session);
    return pageOf(rows, request, 'oldest');
  }

  revoke(id: string): Device {
    return this.#change(id, { revokedAt: this.#find(id).revokedAt ?? Date.now() });
  }

  createLink(grant: DeviceGrant, lifetimeMs: number, by?: string): string {
    const secret = randomBytes(20).toString('base64url');
    this.#tables.put(this.#tables.links, secret, { grant, by, expiresAt: Date.now() + lifetimeMs });
    return secret;
  }

  redeemLink(secret: string): Admission | undefined {
    const link = this.#tables.links.get(secret)?.value;
    if (!link || link.expiresAt <= Date.now()) return undefined;
    this.#tables.remove(this.#tables.links, secret);
    const maker = link.by === undefined ? undefined : this.get(link.by);
    if (maker && !isGood(maker)) return undefined;
    const admission = this.add(link.grant);
    this.#audit.add(signInDecision(admission.device));
    return admission;
  }

  #find(id: string): Device {
    const device = this.get(id);
    if (!device) throw new RecordNotFoundError(`device ${id}`);
    return device;
  }

  #change(id: string, change: Partial<Device>): Device {
    const device = { ...this.#find(id), ...change };
    const token = this.#tables.devices.get(id)?.value.token ?? '';
    return this.#tables.put(this.#tables.devices, id, { device, token }).device;
  }
}

function isGood({ revokedAt, expiresAt }: Device): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > Date.now());
}

/** Requests and their answers. */
export class MemoryAnswers {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  begin(principal: string, key: string, fingerprint: string, lifetimeMs: number): BegunRequest {
    const row = this.#find(principal, key);
    if (row) {
      const { status, body, made, begunAt } = row;
      const answer = status === UNANSWERED ? undefined : { status, body };
      return { fingerprint: row.fingerprint, made, begunAt, isFirst: false, answer };
    }
    if (this.#of(principal).length >= LIMITS.keptKeys.most) throw new StoreLimitError('too many keys');
    const [made, begunAt] = [crypto.randomUUID(), Date.now()];
    const expiresAt = begunAt + lifetimeMs;
    this.#put(principal, key, { fingerprint, status: UNANSWERED, body: '', made, begunAt, expiresAt });
    return { fingerprint, made, begunAt, isFirst: true, answer: undefined };
  }

  abandon(principal: string, key: string): void {
    if (this.#find(principal, key)?.status === UNANSWERED)
      this.#tables.remove(this.#tables.answers, keyOf(principal, key));
  }

  recall(principal: string, key: string): KeptAnswer | undefined {
    const row = this.#find(principal, key);
    return row && row.status !== UNANSWERED
      ? { fingerprint: row.fingerprint, status: row.status, body: row.body }
      : undefined;
  }

  keep(principal: string, key: string, answer: KeptAnswer, lifetimeMs: number): KeptAnswer {
    const known = this.recall(principal, key);
    if (known) return known;
    if (answer.body.length > MAX_KEPT_ANSWER_BYTES) throw new StoreLimitError('An answer is too long');
    const kept = this.#of(principal).reduce((sum, { body }) => sum + body.length, answer.body.length);
    if (kept > LIMITS.keptAnswerBytes.most) throw new StoreLimitError('too many bytes of answers');
    const now = Date.now();
    this.#put(principal, key, { ...answer, made: '', begunAt: now, expiresAt: now + lifetimeMs });
    return answer;
  }

  #of(principal: string): KeptRow[] {
    const prefix = `${principal}\n`;
    return [...this.#tables.answers].flatMap(([key, { value }]) =>
      key.startsWith(prefix) && value.expiresAt > Date.now() ? [value] : [],
    );
  }

  #find(principal: string, key: string): KeptRow | undefined {
    const row = this.#tables.answers.get(keyOf(principal, key))?.value;
    return row && row.expiresAt > Date.now() ? row : undefined;
  }

  #put(principal: string, key: string, row: KeptRow): void {
    this.#tables.put(this.#tables.answers, keyOf(principal, key), row);
  }
}

function keyOf(principal: string, key: string): string {
  return `${principal}\n${key}`;
}
