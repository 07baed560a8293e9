import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { temporaryFolder, tokenFor } from '@signalbox/testing/hub/test-parts';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHub } from '../../src/hub.ts';
import { checkBackup, restoreBackup } from '../../src/store/sqlite/backup/backup-task.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { assertVersionKnown } from '../../src/store/sqlite/stored-version.ts';
import type { Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/store/verify-store.ts';
import { TestViewer } from '../live/test-viewer.ts';
import { append, sampleAppend, sampleTexts, wholeRecord } from './sample-record.ts';

const PADDING = 2000;

async function openStore(file: string): Promise<Store> {
  const store = await openSqliteStore(file);
  onTestFinished(() => store.close());
  return store;
}

/** Make a backup, and write it to a file. */
async function backUp(store: Store, to: string): Promise<number> {
  const backup = await store.backups?.make();
  const chunks: Uint8Array[] = [];
  for await (const chunk of backup ?? []) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  expect(bytes).toHaveLength(backup?.bytes ?? 0);
  await writeFile(to, bytes);
  return bytes.length;
}

/** A database with one session of so many lines, closed. */
async function someDatabase(file: string, lines: number): Promise<void> {
  const store = await openSqliteStore(file);
  await store.sessions.create('a');
  await append(store, [sampleAppend('a', 1, lines)]);
  await store.close();
}

async function recordOf(file: string): Promise<(string | undefined)[]> {
  const store = await openSqliteStore(file);
  try {
    expect((await verifyStore(store)).damaged).toEqual([]);
    return await wholeRecord(store, 'a');
  } finally {
    await store.close();
  }
}

/** All that is in the folder of a file under its name, with a hash of its bytes. */
async function filesOf(file: string): Promise<Map<string, string>> {
  const names = (await readdir(dirname(file))).filter((name) => name.startsWith(basename(file)));
  const read = async (name: string) => {
    const bytes = await readFile(join(dirname(file), name));
    return [name, createHash('sha256').update(bytes).digest('hex')] as const;
  };
  return new Map(await Promise.all(names.map(read)));
}

describe('backup', () => {
  it('[LOG1990] has all that was acknowledged before it, and nothing by halves, while commits go on', async () => {
    const folder = temporaryFolder();
    const store = await openStore(join(folder, 'hub.db'));
    await store.sessions.create('a');
    await append(store, [sampleAppend('a', 1, 2000, PADDING)]);
    let last = 2000;
    const enough = new AbortController();
    const writing = (async () => {
      while (!enough.signal.aborted) {
        await append(store, [sampleAppend('a', last + 1, last + 20, PADDING)]);
        last += 20;
      }
    })();
    const acknowledged: number[] = [];
    for (const name of ['first.db', 'second.db']) {
      acknowledged.push(last);
      await backUp(store, join(folder, name));
    }
    const committed = last;
    enough.abort();
    await writing;
    expect(committed).toBeGreaterThan(acknowledged[1] ?? 0);
    for (const [index, name] of ['first.db', 'second.db'].entries()) {
      const copy = await openStore(join(folder, name));
      expect((await verifyStore(copy)).damaged).toEqual([]);
      const texts = await wholeRecord(copy, 'a');
      expect(texts.length).toBeGreaterThanOrEqual(acknowledged[index] ?? 0);
      expect(texts.length).toBeLessThanOrEqual(last);
      // Commits are of twenty lines: there are all of one, or none.
      expect(texts.length % 20).toBe(0);
      expect(texts).toEqual((await wholeRecord(store, 'a')).slice(0, texts.length));
    }
    expect((await readdir(folder)).filter((name) => name.includes('-backup-'))).toEqual([]);
  });

  it('[LOG1991] is given up when the store is closed; what a killed process was copying is removed', async () => {
    const file = join(temporaryFolder(), 'hub.db');
    await someDatabase(file, 10);
    await writeFile(`${file}-backup-left`, 'half');
    const store = await openStore(file);
    expect([...(await filesOf(file)).keys()]).not.toContain('hub.db-backup-left');
    const making = store.backups?.make();
    const closed = store.close();
    await expect(making).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await closed;
    expect([...(await filesOf(file)).keys()].filter((name) => name.includes('-backup-'))).toEqual([]);
    expect(await recordOf(file)).toEqual(sampleTexts(1, 10));
  });

  it('[LOG1992] is put back where no database is, or in the place of one, which is kept beside it', async () => {
    const folder = temporaryFolder();
    const [file, backup] = [join(folder, 'hub.db'), join(folder, 'backup')];
    await someDatabase(file, 10);
    const store = await openSqliteStore(file);
    await backUp(store, backup);
    await append(store, [sampleAppend('a', 11, 15)]);
    // In use it stays as it is.
    await expect(restoreBackup(backup, file, true)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
    await store.close();
    await expect(restoreBackup(backup, file, false)).rejects.toMatchObject({ code: 'STORE_THERE' });
    expect(await recordOf(file)).toEqual(sampleTexts(1, 15));
    const { aside = '', sessions } = await restoreBackup(backup, file, true);
    expect(sessions).toBe(1);
    expect((await stat(aside)).mode & 0o777).toBe(0o700);
    expect(await recordOf(file)).toEqual(sampleTexts(1, 10));
    expect(await recordOf(join(aside, 'hub.db'))).toEqual(sampleTexts(1, 15));
    const fresh = join(temporaryFolder(), 'hub.db');
    expect((await restoreBackup(backup, fresh, false)).aside).toBeUndefined();
    expect((await stat(fresh)).mode & 0o777).toBe(0o600);
    expect(await recordOf(fresh)).toEqual(sampleTexts(1, 10));
  });

  it('[LOG1992] a database that cannot be opened any more is replaced as well', async () => {
    const folder = temporaryFolder();
    const [file, backup] = [join(folder, 'hub.db'), join(folder, 'backup')];
    await someDatabase(backup, 10);
    await writeFile(file, 'no database at all '.repeat(1000));
    await writeFile(`${file}-wal`, 'nor a log');
    const { aside = '' } = await restoreBackup(backup, file, true);
    expect(await recordOf(file)).toEqual(sampleTexts(1, 10));
    expect(await readFile(join(aside, 'hub.db-wal'), 'utf8')).toBe('nor a log');
  });

  it('[LOG1993] one that is damaged, cut, of another program or of a newer version is refused by name, and nothing is touched', async () => {
    const folder = temporaryFolder();
    const [file, backup] = [join(folder, 'hub.db'), join(folder, 'backup')];
    await someDatabase(file, 5);
    await someDatabase(backup, 2000);
    const before = await filesOf(file);
    const whole = await readFile(backup);
    const changed = async (name: string, change: (database: Libsql.Database) => void): Promise<string> => {
      const path = join(folder, name);
      await copyFile(backup, path);
      const database = new Libsql(path);
      change(database);
      database.close();
      return path;
    };
    const written = async (name: string, bytes: Uint8Array | string): Promise<string> => {
      await writeFile(join(folder, name), bytes);
      return join(folder, name);
    };
    const spoiled = Buffer.from(whole);
    spoiled.fill(0xff, 8192 * 3, 8192 * 6);
    const newer = await changed('newer', (database) => database.exec('PRAGMA user_version = 9999'));
    const bad: [file: string, code: string][] = [
      [await written('empty', ''), 'STORE_CORRUPT'],
      [await written('text', 'a shopping list\n'.repeat(2000)), 'STORE_CORRUPT'],
      [await written('cut', whole.subarray(0, whole.length / 2)), 'STORE_CORRUPT'],
      [await written('spoiled', spoiled), 'STORE_CORRUPT'],
      [await changed('foreign', (database) => database.exec('PRAGMA application_id = 7')), 'STORE_CORRUPT'],
      [newer, 'STORE_TOO_NEW'],
    ];
    expect(() => assertVersionKnown(newer)).toThrow(expect.objectContaining({ code: 'STORE_TOO_NEW' }));
    expect(() => assertVersionKnown(backup)).not.toThrow();
    for (const [path, code] of bad) {
      await expect(checkBackup(path), path).rejects.toMatchObject({ code });
      await expect(restoreBackup(path, file, true), path).rejects.toMatchObject({ code });
      expect(await filesOf(file), path).toEqual(before);
    }
    await expect(restoreBackup(join(folder, 'none'), file, true)).rejects.toMatchObject({
      code: 'STORE_FAILED',
    });
    expect(await filesOf(file)).toEqual(before);
  });

  it.each([
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON audit BEGIN DELETE FROM prompt; END'],
    [
      'a view without an end in the place of a table',
      `ALTER TABLE session RENAME TO s; CREATE VIEW session AS
        WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n`,
    ],
  ])(
    '[HB3165] one that somebody made up with %s is refused: nothing of it is carried out',
    async (_name, sql) => {
      const folder = temporaryFolder();
      const [file, backup] = [join(folder, 'hub.db'), join(folder, 'backup')];
      await someDatabase(backup, 5);
      const database = new Libsql(backup);
      database.exec('PRAGMA legacy_alter_table = ON');
      database.exec(sql);
      database.close();
      await expect(restoreBackup(backup, file, true)).rejects.toMatchObject({
        code: 'STORE_CORRUPT',
        message: expect.stringContaining('a trigger or a view'),
      });
      expect((await readdir(folder)).filter((name) => name.startsWith('hub.db'))).toEqual([]);
    },
  );

  it.each([
    ['a number', "UPDATE session SET position = 'later'"],
    ['a text', "UPDATE session SET facts = x'00ff'"],
    ['bytes', "UPDATE recent SET body = 'no bytes'"],
  ])(
    '[HB3700] one that has something else in the place of %s is refused: no hub would start on it',
    async (_name, sql) => {
      const folder = temporaryFolder();
      const [file, backup] = [join(folder, 'hub.db'), join(folder, 'backup')];
      await someDatabase(backup, 5);
      const database = new Libsql(backup);
      database.exec(sql);
      database.close();
      await expect(restoreBackup(backup, file, true)).rejects.toMatchObject({
        code: 'STORE_CORRUPT',
        message: expect.stringContaining('values that no hub writes'),
      });
      expect((await readdir(folder)).filter((name) => name.startsWith('hub.db'))).toEqual([]);
    },
  );

  it('[HB1994] a viewer’s cursor holds on a backup that was put back, up to where it goes, and is reset beyond', async () => {
    const folder = temporaryFolder();
    const [file, backup] = [join(folder, 'hub.db'), join(folder, 'backup')];
    const say = (store: Store, ...said: string[]) => {
      const lines = said.map((text) => ({ bytes: Buffer.from(JSON.stringify({ type: 'x', text })) }));
      return append(store, [{ session: 'a', author: { by: 'agent' }, lines }]);
    };
    const store = await openSqliteStore(file);
    await store.sessions.create('a', { state: 'disconnected' });
    const [first] = await say(store, 'one', 'two');
    await backUp(store, backup);
    const [second] = await say(store, 'three');
    await store.close();
    await restoreBackup(backup, file, true);
    const restored = await openStore(file);
    const hub = await startHub({ store: restored });
    onTestFinished(() => hub.close());
    const token = await tokenFor(restored);
    const seen = async (cursor: object) => {
      const viewer = await TestViewer.connect(hub.url, token);
      await viewer.ask({ type: 'subscribe', session: 'a', cursor });
      const reset = viewer.told.find(({ type }) => type === 'reset');
      return { texts: viewer.entries.map(({ message }) => message.text), reason: reset?.reason };
    };
    const [check = 0] = first?.checks ?? [];
    expect(await seen({ seq: 1, check })).toEqual({ texts: ['two'], reason: undefined });
    const lost = { seq: 3, check: second?.checks[0] };
    expect(await seen(lost)).toEqual({ texts: ['one', 'two'], reason: 'ahead' });
    await say(restored, 'another');
    expect(await seen(lost)).toEqual({ texts: ['one', 'two', 'another'], reason: 'rewritten' });
  });
});
