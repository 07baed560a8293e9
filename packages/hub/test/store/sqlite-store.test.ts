import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import { type Cursor, pagesOf, RECORD_START } from '@signalbox/protocol/hub';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { cursorOn } from '../../src/store/record.ts';
import { PAGE_BYTES } from '../../src/store/sqlite/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/store/verify-store.ts';
import { sampleIteration, sampleLoop } from './contract-loops.ts';
import {
  ANN,
  append,
  linkedAppend,
  sampleAppend,
  sampleLine,
  sampleTexts,
  textOf,
  wholeRecord,
} from './sample-record.ts';
import { describeStoreContract } from './store-contract.ts';

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

describe('SQLite store', () => {
  it('[LOG1529] a page of loops, or of iterations, has as much as one answer may, however long their prompts are', async () => {
    await using(newFile(), async ({ loops }) => {
      const prompt = 'x'.repeat(LIMITS.loopPromptBytes.most);
      const ids = Array.from({ length: 12 }, (_, at) => `loop-${at}`);
      for (const id of ids) await loops.create(sampleLoop({ id, spec: { ...sampleLoop().spec, prompt } }));
      for (const number of [1, 2, 3, 4, 5, 6])
        await loops.save(sampleLoop({ id: 'loop-0' }), sampleIteration(number, { prompt }));
      const first = await loops.list();
      expect(first.items.length).toBeLessThan(5);
      const listed: string[] = [];
      for await (const page of pagesOf((from) => loops.list(from)))
        listed.push(...page.map(({ loop }) => loop.id));
      expect(listed).toEqual(ids.toReversed());
      const numbers: number[] = [];
      for await (const page of pagesOf((from) => loops.iterations('loop-0', from))) {
        expect(page.length).toBeLessThan(5);
        numbers.push(...page.map(({ number }) => number));
      }
      expect(numbers).toEqual([6, 5, 4, 3, 2, 1]);
    });
  });

  it('[LOG27] everything is there again after a restart, and cursors of before are honoured', async () => {
    const file = newFile();
    const before = await using(file, async (store) => {
      await store.sessions.create('a', { title: 'A' });
      await append(store, [linkedAppend('a', 'link', 1, 3000)]);
      await append(store, [linkedAppend('a', 'link', 3001, 3010)]);
      // Few lines, then so many that all of them are put aside.
      await store.sessions.create('b');
      await append(store, [linkedAppend('b', 'link', 1, 5)]);
      await append(store, [linkedAppend('b', 'link', 6, 3000)]);
      await store.inbox.admit({ session: 'a', clientId: 'p', author: ANN, content: 'go', delivery: 'queue' });
      await store.inbox.take('a');
      await store.permissions.open('a', 'r', { tool_name: 'Bash' });
      const { token } = await store.devices.add({
        person: 'Ann',
        name: 'phone',
        scope: 'drive',
        session: null,
      });
      const [cursor = RECORD_START] = (await store.record.window('a', 3009, 1)).entries.map(cursorOn);
      return { generation: store.generation, cursor, token };
    });
    await using(file, async (store) => {
      const { record, sessions, inbox, permissions, devices, generation } = store;
      expect(generation).toBeGreaterThan(before.generation);
      expect(await sessions.get('a')).toMatchObject({ title: 'A' });
      expect(await record.position('b')).toEqual({ epoch: 'link', count: 3000 });
      expect(await append(store, [linkedAppend('b', 'link', 2999, 3001)])).toMatchObject([
        { first: 3001, count: 1 },
      ]);
      expect(await append(store, [linkedAppend('a', 'link', 3005, 3012)])).toMatchObject([
        { first: 3011, count: 2 },
      ]);
      const rest = await record.resume('a', before.cursor);
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
        await append(
          store,
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
    await using(file, async (store) => {
      await store.sessions.create('a');
      await append(store, [sampleAppend('a', 1, 50)]);
      await copyOpen(file, copy);
      await append(store, [sampleAppend('a', 51, 100)]);
    });
    const seen = await using(file, async (store) => {
      await append(store, [sampleAppend('a', 101, 110)]);
      return (await store.record.window('a', 1)).entries.map(cursorOn);
    });
    const seenAt = (seq: number): Cursor => seen[seq - 1] ?? RECORD_START;
    await rm(`${file}-wal`, { force: true });
    await copyOpen(copy, file);
    await using(file, async (store) => {
      const { record } = store;
      expect((await record.tail('a')).last).toBe(50);
      expect(await record.resume('a', seenAt(100))).toMatchObject({ reason: 'ahead', last: 50 });
      await append(store, [sampleAppend('a', 1001, 1200)]);
      // The numbers are there again, with other lines behind them.
      for (const seq of [51, 100, 105])
        expect(await record.resume('a', seenAt(seq))).toMatchObject({ reason: 'rewritten' });
      const earlier = await record.resume('a', seenAt(20), 1);
      expect(earlier.state === 'resumed' && earlier.entries.map(textOf)).toEqual([sampleLine(21)]);
      const rest = await record.resume('a', seenAt(50), 1);
      expect(rest.state === 'resumed' && rest.entries.map(textOf)).toEqual([sampleLine(1001)]);
    });
  });

  it('[LOG29] a flipped bit is reported with its entry, and all others can be read', async () => {
    const file = newFile();
    await using(file, async (store) => {
      await store.sessions.create('a');
      await store.sessions.create('b');
      for (let from = 1; from <= 4000; from += 1000)
        await append(store, [sampleAppend('a', from, from + 999, 50)]);
      // Of these some are still where new lines go.
      for (let number = 4001; number <= 4100; number += 1)
        await append(store, [sampleAppend('a', number, number, 50)]);
      await append(store, [sampleAppend('b', 5001, 5003)]);
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
      await append(store, [sampleAppend('a', 4101, 5000, 200)]);
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
        await append(store, [sampleAppend('a', from, from + 999, 50)]);
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
      await append(store, [sampleAppend('a', 4001, 4001)]);
      expect((await store.record.tail('a', 1)).entries.map(textOf)).toEqual([sampleLine(4001)]);
    });
  });

  it('[LOG1564] positions of updates hold over a restart, and are not given twice', async () => {
    const file = newFile();
    const first = await using(file, async (store) => {
      for (const id of ['a', 'b', 'gone']) await store.sessions.create(id);
      // Enough for a block, so that the lines are no rows of their own any more.
      await append(store, [{ session: 'a', author: ANN, lines: [{ bytes: Buffer.alloc(300_000, 'x') }] }]);
      await append(store, [sampleAppend('b', 1, 3)]);
      await store.sessions.remove('gone');
      return store.updates.after(0);
    });
    expect(first.items).toMatchObject([
      { kind: 'updated', session: 'a', last: 1 },
      { kind: 'updated', session: 'b', last: 3 },
      { kind: 'removed', session: 'gone' },
    ]);
    await using(file, async (store) => {
      expect(await store.updates.after(0)).toEqual(first);
      await append(store, [sampleAppend('b', 4, 4)]);
      await store.sessions.update('a', { title: 'named' });
      const { items, position } = await store.updates.after(first.position);
      expect(items).toMatchObject([
        { session: 'b', last: 4 },
        { session: 'a', last: 1 },
      ]);
      expect(position).toBeGreaterThan(first.position);
    });
    // A database of the version before knows no positions: all of its sessions have one then, each another.
    const database = new Libsql(file);
    database.exec(`DROP TABLE comment; DROP TABLE rule; DROP TABLE spend; DROP TABLE spend_meter; DROP TABLE budget;
      DROP TABLE installation; DROP TABLE notice_delivery; DROP TABLE capability; DROP TABLE notice; DROP TABLE notice_target; DROP INDEX session_position; DROP INDEX session_imported; DROP TABLE removed_session;
      ALTER TABLE session DROP COLUMN position; ALTER TABLE session DROP COLUMN trimmed;
      ALTER TABLE prompt DROP COLUMN place; PRAGMA user_version = 8`);
    database.close();
    await using(file, async (store) => {
      const { items, position } = await store.updates.after(0, 1);
      expect(items).toMatchObject([{ session: 'a', last: 1 }]);
      expect((await store.updates.after(position)).items).toMatchObject([{ session: 'b', last: 4 }]);
    });
  });

  it('[LOG36] calls that come while a commit is made share the next one', async () => {
    const file = newFile();
    await using(file, async (store) => {
      await store.sessions.create('a');
      await Promise.all(
        Array.from({ length: 200 }, (_, index) => append(store, [sampleAppend('a', index + 1, index + 1)])),
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
      append(store, [sampleAppend('a', index + 1, index + 1)]),
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
      const long = { session: 'a', author: ANN, lines: [{ bytes }] };
      const outcomes = await Promise.allSettled(
        Array.from({ length: Math.ceil(LIMITS.storeQueueBytes.most / bytes.length) + 2 }, () =>
          append(store, [long]),
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
