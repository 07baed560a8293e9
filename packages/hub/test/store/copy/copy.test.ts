import { spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { HAS_POSTGRES, sharedCluster } from '@signalbox/testing/postgres-cluster';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtProgram } from '../../../../../test/programs.ts';
import { SESSION, TABLES } from '../../../src/store/copy/copied-tables.ts';
import { copyStoreTo } from '../../../src/store/copy/copy-on-thread.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { cursorOn } from '../../../src/store/record.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/store/verify-store.ts';
import { playHubOn } from '../hub-on-store.ts';
import { append, newSession, sampleAppend, sampleTexts, wholeRecord } from '../sample-record.ts';
import { everythingIn, fillStore } from './filled-store.ts';

/** A copy that is killed so often has not gone on where it was. */
const MOST_KILLS = 30;

function newFile(): string {
  return join(temporaryFolder(), 'hub.db');
}

async function newDatabase(): Promise<string> {
  return (await sharedCluster()).createDatabase();
}

/** What somebody does with a store, which is closed afterwards. */
async function within<Result>(
  opening: Promise<Store>,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await opening;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A copy of what a store is at the moment, as a hub that runs gives one. */
async function snapshotOf(store: Store): Promise<string> {
  const file = newFile();
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await store.backups?.make()) ?? []) chunks.push(chunk);
  await writeFile(file, Buffer.concat(chunks));
  return file;
}

/** A file with something of everything, and all that its store says. */
async function filledFile() {
  const file = newFile();
  const filled = await within(openSqliteStore(file), fillStore);
  const everything = await within(openSqliteStore(file), everythingIn);
  return { file, filled, everything };
}

/** Asked of a copy: the driver may keep a file locked for longer than it is open. */
function rowsOf(file: string, query: string): Record<string, unknown>[] {
  const copy = newFile();
  copyFileSync(file, copy);
  const database = new Libsql(copy, { readonly: true });
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows of a query
    return database.prepare(query).all() as Record<string, unknown>[];
  } finally {
    database.close();
  }
}

/** Copy in a process of its own, which is killed after so many steps; says whether it finished before. */
async function copyAndKill(from: string, to: string, steps: number): Promise<boolean> {
  const program = builtProgram('packages/hub/test/store/copy/copying-child.ts');
  const child = spawn(process.execPath, [program, from, to], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = new Promise<unknown[]>((resolve) => child.once('exit', (...how) => resolve(how)));
  let heard = 0;
  let isFinished = false;
  for await (const line of createInterface({ input: child.stdout })) {
    heard += 1;
    isFinished ||= line === 'finished';
    if (heard === steps) child.kill('SIGKILL');
  }
  await exited;
  return isFinished;
}

describe.runIf(HAS_POSTGRES)('a copy of a store', () => {
  it('[LOG3100] takes everything from SQLite to PostgreSQL: cursors, tokens and numbers hold, and a hub goes on with it', async () => {
    const { file, filled, everything } = await filledFile();
    for (const { name } of [SESSION, ...TABLES])
      expect([name, rowsOf(file, `SELECT * FROM ${name}`).length > 0]).toEqual([name, true]);
    const database = await newDatabase();
    const report = await copyStoreTo({ from: { file }, to: { database } });
    expect(report).toMatchObject({ isFinished: true, sessions: 3, entries: 401 + 4 + 100 });
    const cursors = await within(openSqliteStore(file), async ({ record }) =>
      (await record.window(filled.long, 1)).entries.map(cursorOn),
    );
    const store = await openPostgresStore(database);
    onTestFinished(() => store.close());
    expect(await everythingIn(store)).toEqual(everything);
    expect((await store.devices.authenticate(filled.token))?.name).toBe('phone');
    for (const cursor of [cursors[0], cursors[180], cursors.at(-1)])
      expect(cursor && (await store.record.resume(filled.long, cursor, 1)).state).toBe('resumed');
    expect((await verifyStore(store)).damaged).toEqual([]);
    expect(await store.record.locate(filled.long, 'uuid-77')).toBe(77);
    const found = async () => (await store.search.find({ words: 'quokka' })).items.map(({ seq }) => seq);
    await expect.poll(found).toEqual([4]);
    // What comes next has numbers of its own, and a later generation.
    await append(store, [sampleAppend(filled.trimmed, 301, 302)]);
    expect((await store.record.tail(filled.trimmed)).last).toBe(302);
    await fillStore(store);
    await playHubOn(store);
  });

  it('[LOG3101] has a place for every column of SQLite: nothing that is added to the store is forgotten', async () => {
    const file = newFile();
    await within(openSqliteStore(file), async () => {});
    const own = new Set([
      'recent',
      'recent_floor',
      'block',
      'block_part',
      'generation',
      'probe',
      'installation',
    ]);
    const tables = rowsOf(
      file,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    const copied = [SESSION, ...TABLES];
    const names = tables.map(({ name }) => String(name)).filter((name) => !own.has(name));
    expect(names.toSorted()).toEqual(copied.map(({ name }) => name).toSorted());
    for (const { name, columns } of copied) {
      const stored = rowsOf(file, `SELECT name FROM pragma_table_info('${name}')`).map((column) =>
        String(column.name),
      );
      // Which recent lines are in blocks already: a copy has no recent lines.
      const wanted = stored.filter((column) => column !== 'settled_id');
      expect([name, Object.keys(columns).toSorted()]).toEqual([name, wanted.toSorted()]);
    }
  });

  it('[LOG3102] follows a hub that goes on, pass by pass, and is finished by one over a hub that is stopped', async () => {
    const file = newFile();
    const database = await newDatabase();
    const store = await openSqliteStore(file);
    const filled = await fillStore(store);
    const [removed, replaced] = [await newSession(store), await newSession(store)];
    for (const session of [removed, replaced]) await append(store, [sampleAppend(session, 1, 5)]);
    const pass = async () =>
      copyStoreTo({ from: { file: await snapshotOf(store), isSnapshot: true }, to: { database } });
    expect(await pass()).toMatchObject({ isFinished: false, entries: 515 });
    await expect(openPostgresStore(database)).rejects.toMatchObject({ code: 'STORE_COPY_UNFINISHED' });
    await append(store, [sampleAppend(filled.long, 402, 430)]);
    await store.retention.trim(filled.long, 250);
    await store.sessions.remove(removed);
    // Its number is used again.
    await store.sessions.remove(replaced);
    const again = await newSession(store);
    await append(store, [sampleAppend(again, 11, 13)]);
    await store.sessions.update(filled.short, { title: 'later' });
    for (const prompt of await store.inbox.list(filled.short)) await store.inbox.cancel(prompt.id);
    await store.rules.remove((await store.rules.list())[0]?.id ?? '');
    expect(await pass()).toMatchObject({ isFinished: false, entries: 29 + 3 });
    await append(store, [sampleAppend(again, 14, 14)]);
    await store.close();
    const everything = await within(openSqliteStore(file), everythingIn);
    expect(await copyStoreTo({ from: { file }, to: { database } })).toMatchObject({
      isFinished: true,
      entries: 1,
    });
    expect(await within(openPostgresStore(database), everythingIn)).toEqual(everything);
  });

  it('[LOG3103] killed at any point, it goes on where it was, in both directions', async () => {
    const { file, everything } = await filledFile();
    const database = await newDatabase();
    await within(openSqliteStore(file), async (store) => {
      for (let at = 0; at < 250; at += 1)
        await append(store, [sampleAppend(await newSession(store), 1, 20, 500)]);
    });
    const whole = await within(openSqliteStore(file), everythingIn);
    expect(whole).not.toEqual(everything);
    const back = newFile();
    for (const [from, to] of [
      [file, database],
      [database, back],
    ] as const) {
      let kills = 0;
      while (kills < MOST_KILLS && !(await copyAndKill(from, to, 1 + kills * 9))) kills += 1;
      expect(kills).toBeGreaterThan(1);
      expect(kills).toBeLessThan(MOST_KILLS);
    }
    expect(await within(openPostgresStore(database), everythingIn)).toEqual(whole);
    expect(await within(openSqliteStore(back), everythingIn)).toEqual(whole);
  });

  it('[LOG3104] a target that is anything but an unfinished copy of the same source is refused, and left as it is', async () => {
    const { file } = await filledFile();
    const cluster = await sharedCluster();
    const refusal = (from: string, database: string) =>
      copyStoreTo({ from: { file: from }, to: { database } }).then(
        () => 'copied',
        ({ code }: { code: string }) => code,
      );
    const used = await newDatabase();
    const session = await within(openPostgresStore(used), newSession);
    expect(await refusal(file, used)).toBe('STORE_NOT_EMPTY');
    expect(await within(openPostgresStore(used), ({ sessions }) => sessions.get(session))).toBeDefined();
    const begun = await newDatabase();
    const snapshot = newFile();
    await copyFile(file, snapshot);
    await copyStoreTo({ from: { file: snapshot, isSnapshot: true }, to: { database: begun } });
    const other = newFile();
    await within(openSqliteStore(other), newSession);
    expect(await refusal(other, begun)).toBe('STORE_NOT_EMPTY');
    expect(await refusal(file, begun)).toBe('copied');
    // A hub may have gone on with it since.
    expect(await refusal(file, begun)).toBe('STORE_NOT_EMPTY');
    const foreign = await newDatabase();
    await cluster.query(foreign, 'CREATE TABLE customers (id int)');
    expect(await refusal(file, foreign)).toBe('STORE_FOREIGN');
    expect(await refusal(file, 'postgres://signalbox:wrong@127.0.0.1:1/x')).toBe('STORE_UNREACHABLE');
    const running = await openSqliteStore(other);
    onTestFinished(() => running.close());
    expect(await refusal(other, await newDatabase())).toBe('STORE_IN_USE');
    const places = { from: { database: begun }, to: { file } };
    await expect(copyStoreTo(places)).rejects.toMatchObject({ code: 'STORE_NOT_EMPTY' });
  });

  it('[LOG3105] goes back to SQLite, also while a hub runs; what is damaged stays damaged, and nothing else is', async () => {
    const { file, filled } = await filledFile();
    const cluster = await sharedCluster();
    const database = await newDatabase();
    await copyStoreTo({ from: { file }, to: { database } });
    const hub = await openPostgresStore(database);
    onTestFinished(() => hub.close());
    const session = await newSession(hub);
    for (const number of [1, 2, 3, 4]) await append(hub, [sampleAppend(session, number, number)]);
    const back = newFile();
    expect(await copyStoreTo({ from: { database }, to: { file: back } })).toMatchObject({
      isFinished: false,
    });
    await append(hub, [sampleAppend(session, 5, 6)]);
    await hub.close();
    const spoil = (change: string) =>
      cluster.query(database, `${change} AND session = (SELECT max(number) FROM signalbox.session)`);
    await spoil('UPDATE signalbox.run SET body = set_byte(body, 60, 7) WHERE first = 5');
    expect(await copyStoreTo({ from: { database }, to: { file: back } })).toMatchObject({
      isFinished: true,
      entries: 2,
    });
    const everything = await within(openPostgresStore(database), everythingIn);
    await within(openSqliteStore(back), async (store) => {
      expect(await everythingIn(store)).toEqual(everything);
      expect(await wholeRecord(store, session)).toEqual([...sampleTexts(1, 5), 'damaged']);
      expect((await store.devices.authenticate(filled.token))?.name).toBe('phone');
      await fillStore(store);
    });
    await spoil('DELETE FROM signalbox.run WHERE first >= 3');
    const third = newFile();
    await copyStoreTo({ from: { database }, to: { file: third } });
    const lost = ['damaged', 'damaged', 'damaged', 'damaged'];
    await within(openSqliteStore(third), async (store) => {
      expect(await wholeRecord(store, session)).toEqual([...sampleTexts(1, 2), ...lost]);
    });
  });

  it('[LOG3106] a database that gives back other than it was given is told of, and its copy is never used', async () => {
    const { file } = await filledFile();
    const cluster = await sharedCluster();
    const database = await newDatabase();
    await within(openPostgresStore(database), async () => {});
    const reset = 'UPDATE signalbox.generation SET number = 0';
    const spoil = `CREATE FUNCTION signalbox.spoil() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.body = set_byte(NEW.body, 100, 255 - get_byte(NEW.body, 100)); RETURN NEW; END $$;
      CREATE TRIGGER spoil BEFORE INSERT ON signalbox.run FOR EACH ROW EXECUTE FUNCTION signalbox.spoil()`;
    await cluster.query(database, `${reset}; ${spoil}`);
    const places = { from: { file }, to: { database } };
    await expect(copyStoreTo(places)).rejects.toMatchObject({ code: 'STORE_COPY_DIFFERS' });
    await expect(openPostgresStore(database)).rejects.toMatchObject({ code: 'STORE_COPY_UNFINISHED' });
    await cluster.query(database, 'DROP TRIGGER spoil ON signalbox.run');
    expect(await copyStoreTo(places)).toMatchObject({ isFinished: true });
  });
});
