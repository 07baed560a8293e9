import { LIMITS } from '@signalbox/protocol';
import { MAX_WINDOW_ENTRIES, RECORD_START } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import { cursorOn, MAX_WINDOW_BYTES } from '../../src/store/record.ts';
import { replay } from '../../src/store/replay.ts';
import {
  AGENT,
  ANN,
  append,
  linkedAppend,
  newSession,
  sampleAppend,
  sampleLine,
  sampleTexts,
  textOf,
  wholeRecord,
} from './sample-record.ts';
import type { OpenedStore } from './store-contract.ts';

export function describeRecord(store: OpenedStore): void {
  describe('record', () => {
    it('[LOG1] gives back the very bytes, with number, time and author', async () => {
      const { record } = store();
      const session = await newSession(store());
      const lines = [
        Buffer.from('{"type":"assistant", "spaces" : "ä😀\\u0000" }'),
        Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x0d, 0x7d]),
        Buffer.alloc(0),
      ];
      const authors = [AGENT, ANN, { by: 'hub' as const }];
      for (const [index, bytes] of lines.entries()) {
        const author = authors[index] ?? AGENT;
        await append(store(), [{ session, author, lines: [{ bytes, time: 1000.5 + index }] }]);
      }
      const { entries } = await record.window(session, 1);
      const seen = entries.map((entry) =>
        entry.kind === 'line' ? { ...entry, line: Buffer.from(entry.line.bytes()).toString('hex') } : entry,
      );
      expect(seen).toEqual(
        lines.map((bytes, index) => ({
          kind: 'line',
          seq: index + 1,
          check: expect.any(Number),
          time: 1000.5 + index,
          author: authors[index],
          line: bytes.toString('hex'),
        })),
      );
    });

    it('[LOG1] keeps lines that lie in a chunk with others', async () => {
      const session = await newSession(store());
      const chunk = Buffer.from('onetwothree');
      const lines = [chunk.subarray(0, 3), chunk.subarray(3, 6), chunk.subarray(6)].map((bytes) => ({
        bytes,
      }));
      const recorded = append(store(), [{ session, author: AGENT, lines }]);
      chunk.fill('-');
      await recorded;
      expect(await wholeRecord(store(), session)).toEqual(['one', 'two', 'three']);
    });

    it('[LOG430] keeps long lines in parts, alone, among others and of every author, and removes all of them', async () => {
      const MIB = 1024 * 1024;
      const session = await newSession(store());
      const sizes = [MIB - 32, MIB, MIB + 1, 3 * MIB + 7, 10, 2 * MIB, 20];
      const texts = sizes.map((size, index) => `${index}`.padEnd(size, 'abc'));
      const lines = texts.map((text) => ({ bytes: Buffer.from(text) }));
      for (const line of lines) await append(store(), [{ session, author: ANN, lines: [line] }]);
      await append(store(), [{ session, author: AGENT, lines }]);
      for (const from of [3, 2]) {
        const rest = lines.slice(from);
        await append(store(), [{ session, author: AGENT, lines: rest }]);
      }
      const expected = [...texts, ...texts, ...texts.slice(3), ...texts.slice(2)];
      const isSame = (await wholeRecord(store(), session)).map((text, index) => text === expected[index]);
      expect(isSame).toEqual(expected.map(() => true));
      await store().sessions.remove(session);
      await store().sessions.create(session);
      expect(await wholeRecord(store(), session)).toEqual([]);
    });

    it('[LOG2] numbers the entries of each session, whatever is appended at the same time', async () => {
      const sessions = await Promise.all([newSession(store()), newSession(store()), newSession(store())]);
      const appended = Array.from({ length: 60 }, (_, index) =>
        append(
          store(),
          sessions.map((session) => sampleAppend(session, index + 1, index + 1)),
        ),
      );
      const places = (await Promise.all(appended)).map((each) => each.map(({ first }) => first));
      expect(places).toEqual(places.map((_, index) => [index + 1, index + 1, index + 1]));
      for (const session of sessions) expect(await wholeRecord(store(), session)).toEqual(sampleTexts(1, 60));
    });

    it('[LOG2] refuses a batch as a whole, and others not at all', async () => {
      const session = await newSession(store());
      const tooLong = {
        session,
        author: AGENT,
        lines: [{ bytes: new Uint8Array(LIMITS.lineBytes.most + 1) }],
      };
      const outcomes = await Promise.allSettled([
        append(store(), [sampleAppend(session, 1, 1)]),
        append(store(), [sampleAppend(session, 2, 2), sampleAppend('nobody', 1, 1)]),
        append(store(), [sampleAppend(session, 3, 3), tooLong]),
        append(store(), [sampleAppend(session, 4, 4)]),
      ]);
      expect(outcomes).toMatchObject([
        { status: 'fulfilled' },
        { status: 'rejected', reason: { code: 'STORE_SESSION_NOT_FOUND' } },
        { status: 'rejected', reason: { code: 'STORE_LIMIT' } },
        { status: 'fulfilled' },
      ]);
      expect(await wholeRecord(store(), session)).toEqual([sampleLine(1), sampleLine(4)]);
    });

    it('[LOG3] stores the position of the link with its lines, and drops lines that come again', async () => {
      const { record } = store();
      const session = await newSession(store());
      expect(await record.position(session)).toBeUndefined();
      expect(await append(store(), [linkedAppend(session, 'one', 1, 10)])).toMatchObject([
        { first: 1, count: 10 },
      ]);
      expect(await append(store(), [linkedAppend(session, 'one', 6, 12)])).toMatchObject([
        { first: 11, count: 2 },
      ]);
      expect(await append(store(), [linkedAppend(session, 'one', 1, 5)])).toMatchObject([
        { first: 13, count: 0 },
      ]);
      expect(await record.position(session)).toEqual({ epoch: 'one', count: 12 });
      // Lines that are not recorded move the position, too.
      await append(store(), [{ session, author: AGENT, lines: [], position: { epoch: 'one', count: 20 } }]);
      expect(await record.position(session)).toEqual({ epoch: 'one', count: 20 });
      expect(await append(store(), [linkedAppend(session, 'two', 1, 3)])).toMatchObject([
        { first: 13, count: 3 },
      ]);
      expect(await record.position(session)).toEqual({ epoch: 'two', count: 3 });
      expect(await wholeRecord(store(), session)).toEqual([...sampleTexts(1, 12), ...sampleTexts(1, 3)]);
    });

    it('[LOG4] opens at the tail, and reads windows in both directions', async () => {
      const { record } = store();
      const session = await newSession(store());
      expect(await record.tail(session)).toEqual({ entries: [], last: 0, trimmed: 0 });
      // Long enough to lie in several places of a store.
      for (let from = 1; from <= 5000; from += 500)
        await append(store(), [sampleAppend(session, from, from + 499, 100)]);
      const numbers = async (window: ReturnType<typeof record.tail>): Promise<number[]> =>
        (await window).entries.map(({ seq }) => seq);
      expect(await numbers(record.tail(session, 3))).toEqual([4998, 4999, 5000]);
      expect(await numbers(record.window(session, 2499, 3))).toEqual([2499, 2500, 2501]);
      expect(await numbers(record.windowBefore(session, 2499, 3))).toEqual([2496, 2497, 2498]);
      expect(await numbers(record.windowBefore(session, 9999, 2))).toEqual([4999, 5000]);
      expect(await numbers(record.windowBefore(session, 3, 10))).toEqual([1, 2]);
      expect(await numbers(record.window(session, 5001))).toEqual([]);
      const { entries } = await record.tail(session, 700);
      expect(entries.map(textOf)).toEqual(
        Array.from({ length: 700 }, (_, index) => sampleLine(4301 + index, 100)),
      );
      await expect(record.window(session, 0)).rejects.toMatchObject({ code: 'STORE_ARGUMENT' });
      await expect(record.tail(session, -1)).rejects.toMatchObject({ code: 'STORE_ARGUMENT' });
      await expect(record.tail('nobody')).rejects.toMatchObject({ code: 'STORE_SESSION_NOT_FOUND' });
    });

    it('[LOG5] a window ends at its limits, and replay goes on behind it', async () => {
      const { record } = store();
      const session = await newSession(store());
      await append(store(), [sampleAppend(session, 1, MAX_WINDOW_ENTRIES + 10)]);
      expect((await record.window(session, 1)).entries).toHaveLength(MAX_WINDOW_ENTRIES);
      expect((await record.tail(session, MAX_WINDOW_ENTRIES * 2)).entries).toHaveLength(MAX_WINDOW_ENTRIES);
      const huge = Buffer.alloc(MAX_WINDOW_BYTES + 1, 'x');
      await append(store(), [
        { session, author: AGENT, lines: [{ bytes: huge }, { bytes: huge }, { bytes: huge }] },
      ]);
      expect((await record.tail(session, 5)).entries.map(({ seq }) => seq)).toEqual([
        MAX_WINDOW_ENTRIES + 13,
      ]);
      const seen: number[] = [];
      for await (const { entries } of replay(record, session)) seen.push(...entries.map(({ seq }) => seq));
      expect(seen).toEqual(Array.from({ length: MAX_WINDOW_ENTRIES + 13 }, (_, index) => index + 1));
    });

    it('[LOG6] gives exactly the rest after a cursor', async () => {
      const { record } = store();
      const session = await newSession(store());
      const [appended] = await append(store(), [sampleAppend(session, 1, 10)]);
      const { entries } = await record.window(session, 1);
      expect(entries.map(cursorOn)).toEqual(
        appended?.checks.map((check, index) => ({ seq: index + 1, check })),
      );
      const [cursor = RECORD_START] = entries.slice(-1).map(cursorOn);
      await append(store(), [sampleAppend(session, 11, 13)]);
      const rest = await record.resume(session, cursor);
      expect(rest.state === 'resumed' && rest.entries.map(textOf)).toEqual(sampleTexts(11, 13));
      const [newest = RECORD_START] = (await record.tail(session, 1)).entries.map(cursorOn);
      expect(await record.resume(session, newest)).toMatchObject({ state: 'resumed', entries: [] });
      const all = await record.resume(session, RECORD_START, 2);
      expect(all.state === 'resumed' && all.entries.map(textOf)).toEqual(sampleTexts(1, 2));
    });

    it('[LOG7] tells a cursor that it cannot honour', async () => {
      const { record, sessions } = store();
      const session = await newSession(store());
      const lines = [{ bytes: Buffer.from(sampleLine(1)), time: 1 }];
      const [appended] = await append(store(), [{ session, author: AGENT, lines }]);
      const cursor = { seq: 1, check: appended?.checks[0] ?? 0 };
      expect(await record.resume(session, { seq: 2, check: cursor.check })).toEqual({
        state: 'reset',
        reason: 'ahead',
        last: 1,
      });
      expect(await record.resume(session, { seq: 1, check: cursor.check + 1 })).toMatchObject({
        state: 'reset',
        reason: 'rewritten',
      });
      await expect(record.resume(session, { seq: -1, check: 0 })).rejects.toMatchObject({
        code: 'STORE_ARGUMENT',
      });
      // Another session under the same name, whose first line was said at another time, or by another.
      for (const [time, author] of [
        [2, AGENT],
        [1, ANN],
      ] as const) {
        await sessions.remove(session);
        await sessions.create(session);
        await append(store(), [{ session, author, lines: [{ bytes: Buffer.from(sampleLine(1)), time }] }]);
        expect(await record.resume(session, cursor)).toMatchObject({ reason: 'rewritten' });
      }
    });

    it('[LOG8] finds the first line with a uuid, near or far', async () => {
      const { record } = store();
      const session = await newSession(store());
      const other = await newSession(store());
      for (let from = 1; from <= 3000; from += 500)
        await append(store(), [sampleAppend(session, from, from + 499, 100)]);
      await append(store(), [sampleAppend(session, 7, 8), sampleAppend(other, 5000, 5000)]);
      expect(await record.locate(session, 'uuid-7')).toBe(7);
      expect(await record.locate(session, 'uuid-1234')).toBe(1234);
      expect(await record.locate(session, 'uuid-3000')).toBe(3000);
      expect(await record.locate(session, 'uuid-5000')).toBeUndefined();
    });
  });
}
