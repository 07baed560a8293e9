import { randomUUID } from 'node:crypto';
import type { Page } from '@signalbox/protocol/hub';
import {
  type Admission,
  type Device,
  type DeviceGrant,
  type DeviceQuery,
  type Devices,
  signInDecision,
} from '../../device.ts';
import { RecordNotFoundError } from '../../store-errors.ts';
import { pageBounds, pageOf } from '../paging.ts';
import type { InSteps } from '../part.ts';
import { createLinkSecret, createSecret, idOf, proves } from '../secret.ts';
import { Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';
import type { SqlAudit } from './audit.ts';

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
export class SqlDevices implements InSteps<Devices> {
  readonly #audit: SqlAudit;

  constructor(audit: SqlAudit) {
    this.#audit = audit;
  }

  *add(grant: DeviceGrant, as: string = randomUUID()): Steps<Admission> {
    const { id, text, hash } = createSecret(as);
    yield* QUERIES.add.run([id, JSON.stringify(grant), hash, Date.now()]);
    return { device: yield* this.#find(id), token: text };
  }

  *authenticate(token: string): Steps<Device | undefined> {
    const row = yield* QUERIES.get.get([idOf(token)]);
    if (!row || !proves(token, row.token_hash)) return undefined;
    const device = deviceOf(row);
    if (isGood(device)) return device;
    // What has once expired stays so, also when the clock is set back.
    if (device.revokedAt === null) yield* this.revoke(device.id);
    return undefined;
  }

  *noteSeen(id: string): Steps<Device> {
    yield* QUERIES.see.run([Date.now(), id]);
    return yield* this.#find(id);
  }

  *get(id: string): Steps<Device | undefined> {
    const row = yield* QUERIES.get.get([id]);
    return row && deviceOf(row);
  }

  *list({ kind, session, ...request }: DeviceQuery = {}): Steps<Page<Device>> {
    const { after = 0, limit } = pageBounds(request);
    const named = [kind ?? null, kind ?? null, session ?? null, session ?? null];
    const rows = yield* QUERIES.list.all([after, ...named, limit + 1]);
    return pageOf(rows, limit, ({ number }) => number, deviceOf);
  }

  *revoke(id: string): Steps<Device> {
    yield* this.#find(id);
    yield* QUERIES.revoke.run([Date.now(), id]);
    return yield* this.#find(id);
  }

  *createLink(grant: DeviceGrant, lifetimeMs: number, by?: string): Steps<string> {
    const { id, text, hash } = createLinkSecret();
    const now = Date.now();
    yield* QUERIES.removeOldLinks.run([now]);
    yield* QUERIES.addLink.run([id, JSON.stringify({ ...grant, by }), hash, now + lifetimeMs]);
    return text;
  }

  *redeemLink(secret: string): Steps<Admission | undefined> {
    const id = idOf(secret);
    const row = yield* QUERIES.getLink.get([id]);
    if (!row || !proves(secret, row.hash) || row.expires_at <= Date.now()) return undefined;
    yield* QUERIES.removeLink.run([id]);
    const { by, ...grant }: DeviceGrant & { by?: string } = storedJson(row.grants, 'a sign-in link');
    const maker = by === undefined ? undefined : yield* this.get(by);
    if (maker && !isGood(maker)) return undefined;
    const admission = yield* this.add(grant);
    yield* this.#audit.add(signInDecision(admission.device));
    return admission;
  }

  *#find(id: string): Steps<Device> {
    const device = yield* this.get(id);
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

const QUERIES = queries();

function queries() {
  const shown = 'id, grants, created_at, last_seen_at, revoked_at';
  return {
    add: new Statement('INSERT INTO device (id, grants, token_hash, created_at) VALUES (?, ?, ?, ?)'),
    get: new Statement<DeviceRow>(`SELECT ${shown}, token_hash FROM device WHERE id = ?`),
    list: new Statement<ShownRow & { number: number }>(
      (sql) => `SELECT number, ${shown} FROM device
        WHERE number > ?
          AND (CAST(? AS TEXT) IS NULL OR coalesce(${sql.textAt('grants', 'kind')}, 'person') = ?)
          AND (CAST(? AS TEXT) IS NULL OR ${sql.textAt('grants', 'session')} = ?)
        ORDER BY number LIMIT ?`,
    ),
    see: new Statement('UPDATE device SET last_seen_at = ? WHERE id = ?'),
    revoke: new Statement('UPDATE device SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?'),
    addLink: new Statement('INSERT INTO sign_in_link (id, grants, hash, expires_at) VALUES (?, ?, ?, ?)'),
    getLink: new Statement<LinkRow>('SELECT grants, hash, expires_at FROM sign_in_link WHERE id = ?'),
    removeLink: new Statement('DELETE FROM sign_in_link WHERE id = ?'),
    removeOldLinks: new Statement('DELETE FROM sign_in_link WHERE expires_at <= ?'),
  };
}
