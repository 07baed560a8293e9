import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { PAGE_BYTES } from '../../src/store/sqlite/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/store/verify-store.ts';
import {
  ANN,
  linkedAppend,
  sampleAppend,
  sampleLine,
  sampleTexts,
  textOf,
  wholeRecord,
} from './sample-record.ts';
import { describeStoreContract } from './store-contract.ts';

/** A start from source takes its time on a busy machine, and these tests start stores. */
const TIMEOUT_MS = 120_000;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-store-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function newFile(): string {
  return join(folder, `${crypto.randomUUID()}.db`);
}

/** Open a store, use it, close it. */
async function using<Result>(file: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openSqliteStore(file);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** The state of a database while it is open: its file and its log. */
async function copyOpen(file: string, to: string): Promise<void> {
  await copyFile(file, to);
  await copyFile(`${file}-wal`, `${to}-wal`);
}

/** Flip a bit of every place where the file says this. */
async function flipBit(file: string, text: string): Promise<void> {
  const content = await readFile(file);
  const places: number[] = [];
  for (let at = content.indexOf(text); at !== -1; at = content.indexOf(text, at + 1)) places.push(at);
  expect(places.length).toBeGreaterThan(0);
  for (const at of places) content[at + 2] = (content[at + 2] ?? 0) ^ 1;
  await writeFile(file, content);
}

describeStoreContract('SQLite', () => openSqliteStore(newFile()));

describe('SQLite store', { timeout: TIMEOUT_MS }, () => {
  it('[LOG27] everything is there again after a restart, and cursors of before are honoured', async () => {
    const file = newFile();
    const before = await using(file, async (store) => {
      await store.sessions.create('a', { title: 'A' });
      await store.record.append([linkedAppend('a', 'link', 1, 3000)]);
      await store.record.append([linkedAppend('a', 'link', 3001, 3010)]);
      // Few lines, then so many that all of them are put aside.
      await store.sessions.create('b');
      await store.record.append([linkedAppend('b', 'link', 1, 5)]);
      await store.record.append([linkedAppend('b', 'link', 6, 3000)]);
      await store.inbox.admit({ session: 'a', clientId: 'p', author: ANN, content: 'go', delivery: 'queue' });
      await store.inbox.take('a');
      await store.permissions.open('a', 'r', { tool_name: 'Bash' });
      const { token } = await store.devices.add({
        person: 'Ann',
        name: 'phone',
        scope: 'drive',
        session: null,
      });
      return { epoch: store.epoch, token };
    });
    await using(file, async ({ record, sessions, inbox, permissions, devices, epoch }) => {
      expect(epoch).not.toBe(before.epoch);
      expect(await sessions.get('a')).toMatchObject({ title: 'A' });
      expect(await record.position('b')).toEqual({ epoch: 'link', count: 3000 });
      expect(await record.append([linkedAppend('b', 'link', 2999, 3001)])).toEqual([
        { first: 3001, count: 1 },
      ]);
      expect(await record.append([linkedAppend('a', 'link', 3005, 3012)])).toEqual([
        { first: 3011, count: 2 },
      ]);
      const rest = await record.resume('a', { epoch: before.epoch, seq: 3009 });
      expect(rest).toMatchObject({ state: 'resumed', epoch });
      expect(rest.state === 'resumed' && rest.entries.map(textOf)).toEqual(sampleTexts(3010, 3012));
      expect(await inbox.list('a')).toMatchObject([{ clientId: 'p', state: 'taken' }]);
      expect((await permissions.listOpen()).items).toMatchObject([{ requestId: 'r' }]);
      expect(await devices.authenticate(before.token)).toMatchObject({ name: 'phone' });
    });
    await using(file, async (store) => {
      expect(await wholeRecord(store, 'a')).toEqual(sampleTexts(1, 3012));
      expect(await store.record.position('a')).toEqual({ epoch: 'link', count: 3012 });
      expect(await verifyStore(store)).toEqual({ sessions: 2, entries: 6013, damaged: [], unread: [] });
      expect(await wholeRecord(store, 'b')).toEqual(sampleTexts(1, 3001));
    });
  });

  it('[LOG27] what many sessions write little by little is there again, too', async () => {
    const file = newFile();
    const sessions = Array.from({ length: 300 }, (_, index) => `session-${index}`);
    // More than is kept where new lines go, and less for each session than is put aside by itself.
    const [rounds, padding] = [12, 10_000];
    await using(file, async (store) => {
      await Promise.all(sessions.map((id) => store.sessions.create(id)));
      for (let number = 1; number <= rounds; number += 1) {
        const position = { epoch: 'link', count: number };
        await store.record.append(
          sessions.map((session) => ({ ...sampleAppend(session, number, number, padding), position })),
        );
      }
      expect(await verifyStore(store)).toEqual({
        sessions: 300,
        entries: 300 * rounds,
        damaged: [],
        unread: [],
      });
    });
    await using(file, async (store) => {
      const expected = Array.from({ length: rounds }, (_, index) => sampleLine(index + 1, padding));
      for (const session of sessions) {
        expect(await wholeRecord(store, session)).toEqual(expected);
        expect(await store.record.position(session)).toEqual({ epoch: 'link', count: rounds });
      }
    });
  });

  it('[LOG28] an old copy that is put back resets who has seen what it lacks, and nobody else', async () => {
    const [file, copy] = [newFile(), newFile()];
    const first = await using(file, async (store) => {
      await store.sessions.create('a');
      await store.record.append([sampleAppend('a', 1, 50)]);
      await copyOpen(file, copy);
      await store.record.append([sampleAppend('a', 51, 100)]);
      return store.epoch;
    });
    const second = await using(file, async (store) => {
      await store.record.append([sampleAppend('a', 101, 110)]);
      return store.epoch;
    });
    await rm(`${file}-wal`, { force: true });
    await copyOpen(copy, file);
    await using(file, async ({ record }) => {
      expect((await record.tail('a')).last).toBe(50);
      expect(await record.resume('a', { epoch: first, seq: 100 })).toMatchObject({
        reason: 'ahead',
        last: 50,
      });
      await record.append([sampleAppend('a', 1001, 1200)]);
      // The numbers are there again, with other lines behind them.
      expect(await record.resume('a', { epoch: first, seq: 100 })).toMatchObject({ reason: 'rewritten' });
      expect(await record.resume('a', { epoch: second, seq: 105 })).toMatchObject({
        reason: 'epoch-unknown',
      });
      const rest = await record.resume('a', { epoch: first, seq: 50 }, 1);
      expect(rest.state === 'resumed' && rest.entries.map(textOf)).toEqual([sampleLine(1001)]);
    });
  });

  it('[LOG29] a flipped bit is reported with its entry, and all others can be read', async () => {
    const file = newFile();
    await using(file, async (store) => {
      await store.sessions.create('a');
      await store.sessions.create('b');
      for (let from = 1; from <= 4000; from += 1000)
        await store.record.append([sampleAppend('a', from, from + 999, 50)]);
      // Of these some are still where new lines go.
      for (let number = 4001; number <= 4100; number += 1)
        await store.record.append([sampleAppend('a', number, number, 50)]);
      await store.record.append([sampleAppend('b', 5001, 5003)]);
    });
    for (const number of [1234, 4050, 5002]) await flipBit(file, `entry-${number}.`);
    await using(file, async (store) => {
      const record = await wholeRecord(store, 'a');
      expect(record).toEqual(
        Array.from({ length: 4100 }, (_, index) =>
          index === 1233 || index === 4049 ? 'damaged' : sampleLine(index + 1, 50),
        ),
      );
      const { entries } = await store.record.window('a', 1233, 3);
      expect(entries.map(({ kind, seq }) => [kind, seq])).toEqual([
        ['line', 1233],
        ['damaged', 1234],
        ['line', 1235],
      ]);
      expect(await store.record.locate('a', 'uuid-1235')).toBe(1235);
      // What becomes a block later keeps its damage to itself, too.
      await store.record.append([sampleAppend('a', 4101, 5000, 200)]);
      expect((await verifyStore(store)).damaged).toEqual([
        { session: 'b', seq: 2 },
        { session: 'a', seq: 1234 },
        { session: 'a', seq: 4050 },
      ]);
      expect((await store.record.window('a', 4051, 1)).entries.map(textOf)).toEqual([sampleLine(4051, 50)]);
    });
  });

  it('[LOG29] a broken page costs the entries around it, and no other', async () => {
    const file = newFile();
    await using(file, async (store) => {
      await store.sessions.create('a');
      for (let from = 1; from <= 4000; from += 1000)
        await store.record.append([sampleAppend('a', from, from + 999, 50)]);
    });
    const content = await readFile(file);
    const page = Math.floor(content.indexOf('entry-1234.') / PAGE_BYTES) * PAGE_BYTES;
    content.fill(0xff, page, page + PAGE_BYTES);
    await writeFile(file, content);
    await using(file, async (store) => {
      const record = await wholeRecord(store, 'a');
      expect(record).toHaveLength(4000);
      const damaged = record.flatMap((text, index) => (text === 'damaged' ? [index + 1] : []));
      expect(damaged).toContain(1234);
      const lost = record.slice((damaged[0] ?? 1) - 1, damaged.at(-1));
      expect(lost.every((text) => text === 'damaged')).toBe(true);
      expect(lost.length).toBeLessThan(2000);
      const others = record.map((text, index) => text === 'damaged' || text === sampleLine(index + 1, 50));
      expect(others.every(Boolean)).toBe(true);
      await store.record.append([sampleAppend('a', 4001, 4001)]);
      expect((await store.record.tail('a', 1)).entries.map(textOf)).toEqual([sampleLine(4001)]);
    });
  });

  it('[LOG36] calls that come while a commit is made share the next one', async () => {
    const file = newFile();
    await using(file, async (store) => {
      await store.sessions.create('a');
      await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          store.record.append([sampleAppend('a', index + 1, index + 1)]),
        ),
      );
    });
    const database = new Libsql(file);
    // Each commit has stored the lines of a session as one row.
    const { count } = z
      .object({ count: z.number() })
      .parse(database.prepare('SELECT count(*) AS count FROM recent').get());
    database.close();
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(20);
  });

  it('[LOG21] of a token and of a sign-in link only a hash is in the file', async () => {
    const file = newFile();
    const secrets = await using(file, async ({ devices }) => {
      const grant = { person: 'Ann', name: 'the-phone', scope: 'drive' as const, session: null };
      const { token } = await devices.add(grant);
      return [token, await devices.createLink(grant, 60_000)];
    });
    const content = await readFile(file);
    expect(content.includes('the-phone')).toBe(true);
    for (const secret of secrets) expect(content.includes(secret.split('.')[1] ?? '')).toBe(false);
  });

  it('[LOG34] closing finishes what was called for; afterwards every call is refused', async () => {
    const file = newFile();
    const store = await openSqliteStore(file);
    await store.sessions.create('a');
    const appends = Array.from({ length: 200 }, (_, index) =>
      store.record.append([sampleAppend('a', index + 1, index + 1)]),
    );
    const closed = Promise.all([store.close(), store.close()]);
    await expect(store.record.tail('a')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await Promise.all([...appends, closed]);
    await using(file, async (again) => expect(await wholeRecord(again, 'a')).toEqual(sampleTexts(1, 200)));
  });

  it('[LOG35] who does not wait is refused before memory runs out, and nothing else is lost', async () => {
    await using(newFile(), async (store) => {
      await store.sessions.create('a');
      const bytes = Buffer.alloc(60 * 1024 * 1024, 'x');
      const append = { session: 'a', author: ANN, lines: [{ bytes }] };
      const outcomes = await Promise.allSettled(
        Array.from({ length: Math.ceil(LIMITS.storeQueueBytes.most / bytes.length) + 2 }, () =>
          store.record.append([append]),
        ),
      );
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused.length).toBeGreaterThan(0);
      expect(refused).toEqual(
        refused.map(() =>
          expect.objectContaining({ reason: expect.objectContaining({ code: 'STORE_BUSY' }) }),
        ),
      );
      expect((await store.record.tail('a', 1)).last).toBe(outcomes.length - refused.length);
    });
  });
});
