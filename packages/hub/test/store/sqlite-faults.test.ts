import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { verifyStore } from '../../src/store/verify-store.ts';
import { append, sampleAppend, sampleTexts, wholeRecord } from './sample-record.ts';

const KILLS = 5;
const SEED = 20;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-store-faults-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const APPENDING = builtProgram('packages/hub/test/store/appending-child.ts');
const OPENING = builtProgram('packages/hub/test/store/opening-child.ts');
const FILLING = builtProgram('packages/hub/test/store/full-disk-child.ts');

/** Let a process append, kill it when it has said so often that lines are safe, and give what it said last. */
async function appendAndKill(
  file: string,
  sessions: readonly string[],
  after: number,
): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [APPENDING, file, ...sessions], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const safe = new Map<string, number>();
  let said = 0;
  for await (const line of createInterface(child.stdout)) {
    const [session = '', count] = line.split(' ');
    safe.set(session, Number(count));
    said += 1;
    if (said === after) child.kill('SIGKILL');
  }
  expect((await exited)[1]).toBe('SIGKILL');
  return safe;
}

/** A database that was made by a program other than this version of ours. */
function foreignDatabase(file: string, setUp: string): void {
  const database = new Libsql(file);
  database.exec(setUp);
  database.close();
}

describe('SQLite store, faults', () => {
  it(`[LOG30] what was acknowledged is there after kill -9, once and byte for byte (seed ${SEED})`, async () => {
    const file = join(folder, 'killed.db');
    const sessions = ['a', 'b', 'c'];
    let safe = new Map<string, number>();
    let chance = SEED;
    for (let kill = 0; kill < KILLS; kill += 1) {
      chance = (chance * 1_103_515_245 + 12_345) % 2 ** 31;
      safe = await appendAndKill(file, sessions, 1 + (chance % 400));
    }
    const store = await openSqliteStore(file);
    for (const session of sessions) {
      const { count } = (await store.record.position(session)) ?? { count: 0 };
      expect(count).toBeGreaterThanOrEqual(safe.get(session) ?? 0);
      expect(await wholeRecord(store, session)).toEqual(sampleTexts(1, count));
    }
    expect((await verifyStore(store)).damaged).toEqual([]);
    await store.close();
  });

  it('[LOG31] a full disk refuses lines, loses none that were taken, and takes more when there is room', async () => {
    const disk = join(folder, 'small-disk');
    await mkdir(disk);
    const size = String(12 * 1024 * 1024);
    const sandbox = ['--dev-bind', '/', '/', '--size', size, '--tmpfs', disk, process.execPath];
    const { stdout } = await promisify(execFile)('bwrap', [...sandbox, FILLING, disk]);
    const { code, last, readable, entries, isIdentical } = JSON.parse(stdout);
    expect(code).toBe('STORE_FULL');
    expect(last).toBeGreaterThan(10);
    expect(readable).toBe(last);
    expect(entries).toBe(last + 10);
    expect(isIdentical).toBe(true);
  });

  it('[LOG843] of an import that did not come to its end nothing is left when the store is opened again', async () => {
    const file = join(folder, 'import.db');
    const store = await openSqliteStore(file);
    await store.sessions.beginImport('half');
    await append(store, [sampleAppend('half', 1, 500, 5000)]);
    await store.close();
    const again = await openSqliteStore(file);
    expect(await verifyStore(again)).toMatchObject({ sessions: 0, entries: 0 });
    expect(await again.sessions.create('half')).toMatchObject({ state: 'starting' });
    expect((await again.record.tail('half')).last).toBe(0);
    await again.close();
  });

  it('[LOG32] a store of a newer version, or of another program, is refused and not touched', async () => {
    const newer = join(folder, 'newer.db');
    await (await openSqliteStore(newer)).close();
    foreignDatabase(newer, 'PRAGMA user_version = 999');
    const other = join(folder, 'other.db');
    foreignDatabase(other, 'CREATE TABLE recipe (name TEXT)');
    const text = join(folder, 'text.db');
    await writeFile(text, 'this is not a database. '.repeat(1000));
    for (const [file, code] of [
      [newer, 'STORE_TOO_NEW'],
      [other, 'STORE_CORRUPT'],
      [text, 'STORE_CORRUPT'],
    ] as const) {
      const before = await readFile(file);
      await expect(openSqliteStore(file)).rejects.toMatchObject({ code });
      expect((await readFile(file)).equals(before)).toBe(true);
    }
    const nowhere = join(folder, 'missing', 'hub.db');
    await expect(openSqliteStore(nowhere)).rejects.toMatchObject({ code: 'STORE_FAILED' });
  });

  it('[LOG33] a store in use is refused to others, in this process and in another one', async () => {
    const file = join(folder, 'in-use.db');
    const openElsewhere = async (): Promise<string> =>
      (await promisify(execFile)(process.execPath, [OPENING, file])).stdout;
    const store = await openSqliteStore(file);
    await expect(openSqliteStore(file)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
    expect(await openElsewhere()).toBe('STORE_IN_USE');
    await store.sessions.create('a');
    await store.close();
    expect(await openElsewhere()).toBe('opened');
  });
});
