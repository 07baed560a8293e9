import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, SignalboxError, timeLimit } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { addressOf, type FoundHub } from '../hub/find-hub.ts';
import { holderOf } from '../hub/hub-process.ts';
import { allSessions, shortId } from '../hub/pick-session.ts';
import { commandHere } from '../own-command.ts';
import { readConfig, variableFor } from '../up/up-settings.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const MIB = 1024 * 1024;
const LITTLE_DISK = 1024 * MIB;
const NO_DISK = 100 * MIB;

/** How long a hub may take to say whether it can use its database. */
const READY_MS = 10_000;

/** A clock that was set back makes the newest seem the oldest. */
const CLOCK_TOLERANCE_MS = 60_000;

export function checkFolder(home: string): Finding {
  const name = 'data folder';
  if (!existsSync(home)) return ok(name, `${home} is made by the first signalbox up`);
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fail(name, `${home} cannot be written`, `Make it yours: chown -R "$USER" ${home}`);
  }
  if (isOpenToOthers(home))
    return warn(name, `others on this machine can look into ${home}`, `chmod 700 ${home}`);
  return ok(name, home);
}

export function checkToken(home: string): Finding {
  const name = 'token';
  const file = join(home, 'token');
  if (!existsSync(file)) return ok(name, 'made by the first signalbox up');
  if (isOpenToOthers(file))
    return fail(
      name,
      `others on this machine can read ${file}`,
      `rm ${file}, then start ${commandHere('up')} again`,
    );
  return ok(name, `${file}, readable by you alone`);
}

/** A hub that runs answers for its database itself: nobody else may open it meanwhile. */
export async function checkDatabase(home: string, hub: FoundHub | undefined): Promise<Finding> {
  const name = 'database';
  const file = join(home, 'hub.db');
  const database = databaseOf(home);
  if (!hub && database === undefined && !existsSync(file)) return ok(name, 'made by the first signalbox up');
  try {
    if (hub) return await answeredFor(name, hub);
    return database === undefined ? await verified(name, file) : await verifiedDatabase(name, database);
  } catch (error) {
    const code = error instanceof SignalboxError ? error.code : '';
    if (database !== undefined)
      return fail(name, messageOf(error), 'docs/SCALE.md has what a hub on PostgreSQL needs');
    if (code === 'STORE_IN_USE') return inUse(name, home);
    // Whoever moved a good database away for want of room would lose what it holds.
    if (code === 'STORE_FULL')
      return fail(name, 'there is no room to open it', `Make room, and leave ${file} where it is`);
    return fail(name, messageOf(error), `Put ${file} back from a copy, or move it away to begin anew`);
  }
}

export function checkDisk(home: string): Finding {
  const name = 'disk';
  const { bavail, bsize } = statfsSync(existsSync(home) ? home : existing(dirname(home)));
  const free = bavail * bsize;
  const says = `${Math.floor(free / MIB)} MiB are free`;
  if (free < NO_DISK) return fail(name, says, 'Make room: the record of every session is kept there');
  return free < LITTLE_DISK ? warn(name, says, 'Make room before it is full') : ok(name, says);
}

export function checkClock(home: string, now = Date.now()): Finding {
  const name = 'clock';
  const file = join(home, 'hub.db');
  const changed = existsSync(file) ? statSync(file).mtimeMs : 0;
  if (changed > now + CLOCK_TOLERANCE_MS)
    return warn(name, `${file} was changed in the future`, 'Set the clock: sessions are ordered by time');
  return ok(name, new Date(now).toISOString());
}

async function verified(name: string, file: string): Promise<Finding> {
  const { damageFile, describeDamage, lastDamage, openSqliteStore, verifyStore } = await import(
    '@signalbox/hub'
  );
  const store = await openSqliteStore(file);
  try {
    const { sessions, entries, damaged, unread } = await verifyStore(store);
    const says = `${sessions} sessions, ${entries} entries`;
    const [first] = damaged;
    const damage = lastDamage(file);
    if (!first && unread.length > 0) return unreadSessions(name, unread);
    if (!first && damage)
      return warn(
        name,
        `${says}, all as they were written; but ${describeDamage(damage)}`,
        `Check the disk. When you have read this: rm ${damageFile(file)}`,
      );
    if (!first) return ok(name, `${says}, all as they were written`);
    return fail(
      name,
      `${says}, of which ${damaged.length} are damaged: the first is ${first.seq} of ${first.session}`,
      'Look at the disk. The other entries are whole, and the damaged ones say that they are',
    );
  } finally {
    await store.close();
  }
}

/** The address of the database that settings name. */
function databaseOf(home: string): string | undefined {
  try {
    const named = process.env[variableFor('database')] ?? readConfig(home).config.database;
    return typeof named === 'string' ? named : undefined;
  } catch {
    // Whatever is wrong with config.json, another check says so.
    return undefined;
  }
}

async function verifiedDatabase(name: string, url: string): Promise<Finding> {
  const { databaseAddress, openPostgresStore, verifyStore } = await import('@signalbox/hub');
  const store = await openPostgresStore(url);
  try {
    const { sessions, entries, damaged, unread } = await verifyStore(store);
    const says = `${databaseAddress(url).shown}: ${sessions} sessions, ${entries} entries`;
    if (damaged.length > 0)
      return fail(
        name,
        `${says}, of which ${damaged.length} are damaged`,
        'Look at the disk of the database',
      );
    return unread.length > 0 ? unreadSessions(name, unread) : ok(name, `${says}, all as they were written`);
  } finally {
    await store.close();
  }
}

/** Whoever has it open keeps it whole: nothing is wrong with the data. */
function inUse(name: string, home: string): Finding {
  return fail(
    name,
    `${holderOf(home)} has it open, and cannot be reached`,
    `End that process, then start ${commandHere('up')}`,
  );
}

async function answeredFor(name: string, hub: FoundHub): Promise<Finding> {
  const { url, fetch: ask = fetch } = addressOf(hub);
  const signal = timeLimit(READY_MS);
  const { ok: isReady } = await ask(`${url}/readyz`, { method: 'GET', headers: {}, signal });
  if (isReady) {
    const unread = await unreadOf(new HubApi(addressOf(hub)));
    if (unread.length > 0) return unreadSessions(name, unread);
  }
  if (isReady) return ok(name, 'in use by the hub that runs; stop it to have every entry checked');
  return fail(name, 'the hub that runs cannot use it', `Look at what the hub (${commandHere('up')}) says`);
}

async function unreadOf(api: HubApi): Promise<string[]> {
  const sessions = await allSessions(api);
  return sessions.filter(({ unread }) => unread).map(({ id }) => id);
}

function unreadSessions(name: string, ids: readonly string[]): Finding {
  const [first = ''] = ids;
  const says =
    ids.length === 1 ? `session ${first} cannot` : `${ids.length} sessions cannot, the first is ${first},`;
  return warn(
    name,
    `what is known about ${says} be read; what was said in it is kept`,
    `Look at the disk. ${commandHere(`sessions rm ${shortId(first)}`)} lets go of it`,
  );
}

function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder));
}
