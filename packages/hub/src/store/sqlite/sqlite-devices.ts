import { randomUUID } from 'node:crypto';
import type { Page } from '@signalbox/protocol/hub';
import {
  type Admission,
  type Device,
  type DeviceGrant,
  type DeviceQuery,
  type Devices,
  signInDecision,
} from '../device.ts';
import { RecordNotFoundError } from '../store-errors.ts';
import type { Database } from './database.ts';
import { pageBounds, pageOf } from './paging.ts';
import type { Immediate } from './part.ts';
import { createLinkSecret, createSecret, idOf, proves } from './secret.ts';
import type { SqliteAudit } from './sqlite-audit.ts';
import { storedJson } from './stored-json.ts';

interface DeviceRow {
  id: string;
  grants: string;
  token_hash: Uint8Array;
  created_at: number;
  last_seen_at: number | null;
  revoked_at: number | null;
}

interface LinkRow {
  grants: string;
  hash: Uint8Array;
  expires_at: number;
}

/** Devices and sign-in links in their tables. */
export class SqliteDevices implements Immediate<Devices> {
  readonly #queries: ReturnType<typeof prepareQueries>;
  readonly #audit: SqliteAudit;

  constructor(database: Database, audit: SqliteAudit) {
    this.#queries = prepareQueries(database);
    this.#audit = audit;
  }

  add(grant: DeviceGrant, as: string = randomUUID()): Admission {
    const { id, text, hash } = createSecret(as);
    this.#queries.add.run([id, JSON.stringify(grant), hash, Date.now()]);
    return { device: this.#find(id), token: text };
  }

  authenticate(token: string): Device | undefined {
    const row = this.#queries.get.get([idOf(token)]);
    if (!row || !proves(token, row.token_hash)) return undefined;
    const device = deviceOf(row);
    if (isGood(device)) return device;
    // What has once expired stays so, also when the clock is set back.
    if (device.revokedAt === null) this.revoke(device.id);
    return undefined;
  }

  noteSeen(id: string): Device {
    this.#queries.see.run([Date.now(), id]);
    return this.#find(id);
  }

  get(id: string): Device | undefined {
    const row = this.#queries.get.get([id]);
    return row && deviceOf(row);
  }

  list({ kind, session, ...request }: DeviceQuery = {}): Page<Device> {
    const { after = 0, limit } = pageBounds(request);
    const rows = this.#queries.list.all([after, kind ?? null, session ?? null, limit + 1]);
    return pageOf(rows, limit, ({ number }) => number, deviceOf);
  }

  revoke(id: string): Device {
    this.#find(id);
    this.#queries.revoke.run([Date.now(), id]);
    return this.#find(id);
  }

  createLink(grant: DeviceGrant, lifetimeMs: number, by?: string): string {
    const { id, text, hash } = createLinkSecret();
    const now = Date.now();
    this.#queries.removeOldLinks.run([now]);
    this.#queries.addLink.run([id, JSON.stringify({ ...grant, by }), hash, now + lifetimeMs]);
    return text;
  }

  redeemLink(secret: string): Admission | undefined {
    const id = idOf(secret);
    const row = this.#queries.getLink.get([id]);
    if (!row || !proves(secret, row.hash) || row.expires_at <= Date.now()) return undefined;
    this.#queries.removeLink.run([id]);
    const { by, ...grant }: DeviceGrant & { by?: string } = storedJson(row.grants, 'a sign-in link');
    const maker = by === undefined ? undefined : this.get(by);
    if (maker && !isGood(maker)) return undefined;
    const admission = this.add(grant);
    this.#audit.add(signInDecision(admission.device));
    return admission;
  }

  #find(id: string): Device {
    const device = this.get(id);
    if (!device) throw new RecordNotFoundError(`device ${id}`);
    return device;
  }
}

function isGood({ revokedAt, expiresAt }: Device): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > Date.now());
}

type ShownRow = Omit<DeviceRow, 'token_hash'>;

function deviceOf({ id, grants, created_at, last_seen_at, revoked_at }: ShownRow): Device {
  const grant: DeviceGrant = storedJson(grants, `device ${id}`);
  const { person, name, scope, session, kind = 'person', expiresAt = null } = grant;
  return {
    id,
    person,
    name,
    scope,
    session,
    kind,
    expiresAt,
    createdAt: created_at,
    lastSeenAt: last_seen_at,
    revokedAt: revoked_at,
  };
}

function prepareQueries(database: Database) {
  const shown = 'id, grants, created_at, last_seen_at, revoked_at';
  return {
    add: database.prepare('INSERT INTO device (id, grants, token_hash, created_at) VALUES (?, ?, ?, ?)'),
    get: database.prepare<DeviceRow>(`SELECT ${shown}, token_hash FROM device WHERE id = ?`),
    list: database.prepare<ShownRow & { number: number }>(
      `SELECT number, ${shown} FROM device
        WHERE number > ?1
          AND (?2 IS NULL OR coalesce(json_extract(grants, '$.kind'), 'person') = ?2)
          AND (?3 IS NULL OR json_extract(grants, '$.session') = ?3)
        ORDER BY number LIMIT ?4`,
    ),
    see: database.prepare('UPDATE device SET last_seen_at = ? WHERE id = ?'),
    revoke: database.prepare('UPDATE device SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?'),
    addLink: database.prepare('INSERT INTO sign_in_link (id, grants, hash, expires_at) VALUES (?, ?, ?, ?)'),
    getLink: database.prepare<LinkRow>('SELECT grants, hash, expires_at FROM sign_in_link WHERE id = ?'),
    removeLink: database.prepare('DELETE FROM sign_in_link WHERE id = ?'),
    removeOldLinks: database.prepare('DELETE FROM sign_in_link WHERE expires_at <= ?'),
  };
}
