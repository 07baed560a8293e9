import { RECORD_START } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import { cursorOn } from '../../src/store/record.ts';
import { exportSession, importSession } from '../../src/store/session-file.ts';
import { AGENT, ANN, newSession, sampleAppend, sampleLine, textOf } from './sample-record.ts';
import type { OpenedStore } from './store-contract.ts';

/** Each a minute after the one before, long enough to be in several blocks. */
const LINES = 40;
const PADDING = 10_000;

/** How what is old is taken away. */
export function describeRetention(store: OpenedStore): void {
  /** A session whose line n is of the minute n. */
  const oldSession = async (): Promise<string> => {
    const session = await newSession(store());
    for (let first = 1; first <= LINES; first += 10) {
      const lines = Array.from({ length: 10 }, (_, index) => ({
        bytes: Buffer.from(sampleLine(first + index, PADDING)),
        time: (first + index) * 60_000,
      }));
      await store().commit({ appends: [{ session, author: AGENT, lines }] });
    }
    return session;
  };

  describe('retention', () => {
    it('[LOG2001] takes away the entries up to one, for every reader, and says so; what follows keeps its number', async () => {
      const { retention, record } = store();
      const session = await oldSession();
      const cursors = (await record.window(session, 1)).entries.map(cursorOn);
      expect(await retention.olderThan(session, 20.5 * 60_000)).toBe(20);
      expect(await retention.olderThan(session, 0)).toBe(0);
      await retention.trim(session, 20);
      // Less than that, and the same once more, change nothing.
      for (const upTo of [20, 5]) await retention.trim(session, upTo);
      for (const window of [
        await record.window(session, 1),
        await record.window(session, 15),
        await record.tail(session, 1000),
        await record.windowBefore(session, 1000),
        await record.resume(session, RECORD_START),
      ]) {
        expect(window).toMatchObject({ last: LINES, trimmed: 20 });
        const entries = 'entries' in window ? window.entries : [];
        expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => 21 + index));
        expect(textOf(entries[0])).toBe(sampleLine(21, PADDING));
      }
      expect((await record.windowBefore(session, 21)).entries).toEqual([]);
      expect(await record.resume(session, cursors[9] ?? RECORD_START)).toEqual({
        state: 'reset',
        reason: 'trimmed',
        last: LINES,
      });
      expect(await record.resume(session, cursors[29] ?? RECORD_START)).toMatchObject({ state: 'resumed' });
      expect(await record.locate(session, 'uuid-7')).toBeUndefined();
      expect(await record.locate(session, 'uuid-27')).toBe(27);
      expect(await retention.olderThan(session, 30.5 * 60_000)).toBe(30);
      expect(await retention.olderThan(session, 10)).toBe(20);
    });

    it('[LOG2001] may take all of a record: the next entry follows, and nothing of it is found any more', async () => {
      const { retention, record, search, updates } = store();
      const session = await oldSession();
      const found = async (): Promise<number> => {
        for (;;) {
          const { items, isComplete } = await search.find({ words: '"entry 39"', session });
          if (isComplete) return items.length;
        }
      };
      const said = { type: 'assistant', message: { content: [{ type: 'text', text: 'entry 39' }] } };
      const lines = [{ bytes: Buffer.from(JSON.stringify(said)), time: 41 * 60_000 }];
      await store().commit({ appends: [{ session, author: AGENT, lines }] });
      expect(await found()).toBe(1);
      const { position } = await updates.after(0);
      await retention.trim(session, 1_000_000);
      expect(await record.tail(session)).toEqual({ entries: [], last: LINES + 1, trimmed: LINES + 1 });
      expect((await updates.after(position)).items.map((update) => update.session)).toContain(session);
      expect(await found()).toBe(0);
      const { appended } = await store().commit({ appends: [sampleAppend(session, 1, 2)] });
      expect(appended).toMatchObject([{ first: LINES + 2, count: 2 }]);
      expect((await record.window(session, 1)).entries).toHaveLength(2);
      await expect(retention.trim('none', 1)).rejects.toMatchObject({ code: 'STORE_SESSION_NOT_FOUND' });
    });

    it('[LOG2002] a trimmed session is exported and imported with the numbers that its entries have', async () => {
      const { retention, record } = store();
      const session = await oldSession();
      const archive: string[] = [];
      for await (const line of exportSession(store(), session, 20)) archive.push(line);
      expect(archive).toHaveLength(21);
      await retention.trim(session, 20);
      const rest: string[] = [];
      for await (const line of exportSession(store(), session)) rest.push(line);
      expect(rest).toHaveLength(21);
      const [first, second] = [`${session}-1`, `${session}-2`];
      await importSession(store(), archive, { as: first });
      await importSession(store(), rest, { as: second });
      expect(await record.window(first, 1)).toMatchObject({ last: 20, trimmed: 0 });
      const later = await record.window(second, 1);
      expect(later).toMatchObject({ last: LINES, trimmed: 20 });
      expect(later.entries.map(textOf)).toEqual((await record.window(session, 1)).entries.map(textOf));
    });

    it('[LOG2003] forgets what ended before a time, and nothing that is open', async () => {
      const { retention, inbox, permissions, devices, audit } = store();
      const session = await newSession(store());
      const prompts = ['a', 'b'].map((clientId) =>
        inbox.admit({ session, clientId, author: ANN, content: 'x', delivery: 'queue' }),
      );
      const [waiting, cancelled] = await Promise.all(prompts);
      await inbox.cancel(cancelled?.id ?? '');
      for (const request of ['open', 'closed']) await permissions.open(session, request, {}, null);
      await permissions.close(session, 'closed', 'expired');
      const grant = { person: 'p', name: 'n', scope: 'watch', session: null } as const;
      const [kept, gone] = [await devices.add(grant), await devices.add(grant)];
      await devices.revoke(gone.device.id);
      await audit.add({ session, subject: null, author: ANN, what: 'test', why: null });
      const now = Date.now() + 1000;
      const all = async (kind: Parameters<typeof retention.forget>[0], time: number): Promise<number> => {
        let count = 0;
        for (let some = -1; some !== 0; count += some) some = await retention.forget(kind, time);
        return count;
      };
      for (const kind of ['prompts', 'permissions', 'audit', 'devices'] as const) {
        expect(await all(kind, 1), kind).toBe(0);
        expect(await all(kind, now), kind).toBeGreaterThan(0);
      }
      expect((await inbox.list(session)).map(({ id }) => id)).toEqual([waiting?.id]);
      expect(await permissions.get(session, 'open')).toMatchObject({ state: 'open' });
      expect(await permissions.get(session, 'closed')).toBeUndefined();
      const known = (await devices.list()).items.map(({ id }) => id);
      expect(known).toContain(kept.device.id);
      expect(known).not.toContain(gone.device.id);
      expect((await audit.list({ session })).items).toEqual([]);
      expect(await retention.size()).toMatchObject({ usedBytes: expect.any(Number) });
    });
  });
}
