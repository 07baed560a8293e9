import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exportSession, importSession } from '../../src/store/session-file.ts';
import { AGENT, ANN, append, newSession, sampleAppend } from './sample-record.ts';
import type { OpenedStore } from './store-contract.ts';

/** The first line of an export. */
function headerOf(id: string): string {
  const unknown = { title: null, folder: null, agent: null, model: null, mode: null, exit: null };
  return JSON.stringify({ signalbox: 1, session: { id, ...unknown } });
}

async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

export function describeSessionFiles(store: OpenedStore): void {
  describe('session files', () => {
    it('[LOG25] a session comes back from its export as it was, byte for byte', async () => {
      const { record, sessions } = store();
      const session = await newSession(store());
      const exit = { code: 0, signal: null, stderr: '' };
      await sessions.update(session, { title: 'Export me', state: 'exited', folder: '/project', exit });
      await append(store(), [
        sampleAppend(session, 1, 500, 5000),
        { session, author: ANN, lines: [{ bytes: Buffer.from([0xff, 0x00, 0x0b]), time: 12.5 }] },
        { session, author: AGENT, lines: [{ bytes: Buffer.from('two\tparts "quoted"') }] },
      ]);
      const exported = await linesOf(exportSession(store(), session));
      expect(exported).toHaveLength(503);
      expect(exported.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
      const copy = await importSession(store(), exported, { as: crypto.randomUUID() });
      expect(copy).toMatchObject({ title: 'Export me', state: 'exited', folder: '/project', exit });
      const [, ...again] = await linesOf(exportSession(store(), copy.id));
      expect(again).toEqual(exported.slice(1));
      await expect(importSession(store(), exported)).rejects.toMatchObject({ code: 'STORE_SESSION_EXISTS' });
      expect((await record.tail(session)).last).toBe(502);
      await expect(linesOf(exportSession(store(), 'nobody'))).rejects.toMatchObject({
        code: 'STORE_SESSION_NOT_FOUND',
      });
    });

    it('[LOG843] while it is imported nobody sees it, and its id is taken', async () => {
      const { sessions, record } = store();
      const id = crypto.randomUUID();
      const author = { by: 'person', name: 'Ann', device: 'phone', deviceId: 'd1' };
      const seen: unknown[] = [];
      async function* lines(): AsyncGenerator<string> {
        yield headerOf(id);
        for (const seq of [1, 2]) yield JSON.stringify({ seq, time: 1, author, line: 'x'.repeat(2_000_000) });
        seen.push(
          await sessions.get(id),
          (await sessions.list()).items.some((one) => one.id === id),
        );
        await expect(sessions.create(id)).rejects.toMatchObject({ code: 'STORE_SESSION_EXISTS' });
      }
      expect(await importSession(store(), lines())).toMatchObject({ id, state: 'exited' });
      expect(seen).toEqual([undefined, false]);
      expect((await sessions.list()).items.map((one) => one.id)).toContain(id);
      const { entries } = await record.tail(id);
      expect(entries.map((entry) => entry.kind === 'line' && entry.author)).toEqual([author, author]);
    });

    it('[LOG3700] very many short entries are taken in pieces that keep the store no longer than long ones', async () => {
      const line = (at: number): string =>
        JSON.stringify({ seq: at + 1, time: at, author: AGENT, line: '{}' });
      const commits = vi.spyOn(store(), 'commit');
      onTestFinished(() => commits.mockRestore());
      const { id } = await importSession(store(), [
        headerOf(crypto.randomUUID()),
        ...Array.from({ length: 10_000 }, (_, at) => line(at)),
      ]);
      for (const [{ appends = [] }] of commits.mock.calls) {
        expect(appends.length).toBeLessThanOrEqual(1);
        expect(appends[0]?.lines.length ?? 0).toBeLessThan(3000);
      }
      const { entries, last } = await store().record.tail(id);
      expect([last, entries.at(-1)?.kind === 'line' && entries.at(-1)]).toMatchObject([
        10_000,
        { time: 9999 },
      ]);
    });

    it('[LOG25] an entry that was damaged keeps its number, and says what it is', async () => {
      const header = headerOf(crypto.randomUUID());
      const line = (seq: number): string =>
        JSON.stringify({ seq, time: 1, author: AGENT, line: `line ${seq}` });
      const { id } = await importSession(store(), [header, line(1), '{"seq":2,"damaged":true}', line(3)]);
      const { entries } = await store().record.tail(id);
      expect(entries.map((entry) => entry.kind === 'line' && [entry.author.by, entry.line.text()])).toEqual([
        ['agent', 'line 1'],
        ['hub', '{"type":"system","subtype":"record_damaged","seq":2}'],
        ['agent', 'line 3'],
      ]);
    });

    it('[LOG780] an entry of more than one line, which would be a message of the hub to whoever watches, is refused', async () => {
      const forged = '[\n{"type":"removed","session":"other"}\n]';
      const id = crypto.randomUUID();
      const header = JSON.stringify({
        signalbox: 1,
        session: { id, title: null, folder: null, agent: null, model: null, mode: null, exit: null },
      });
      for (const content of [{ line: forged }, { base64: Buffer.from(forged).toString('base64') }]) {
        const entry = JSON.stringify({ seq: 1, time: 1, author: { by: 'agent' }, ...content });
        await expect(importSession(store(), [header, entry])).rejects.toMatchObject({
          code: 'SESSION_FILE_INVALID',
          message: expect.stringContaining('Line 2 of the session file holds more than one line'),
        });
        expect(await store().sessions.get(id)).toBeUndefined();
      }
    });

    it('[LOG320] ids that no path can name, and times that no date can, are refused; another id helps', async () => {
      const header = (id: string): string =>
        JSON.stringify({
          signalbox: 1,
          session: { id, title: null, folder: null, agent: null, model: null, mode: null, exit: null },
        });
      const line = (time: unknown): string =>
        JSON.stringify({ seq: 1, time, author: { by: 'agent' }, line: '{}' });
      const refused = { code: 'SESSION_FILE_INVALID' };
      for (const id of ['', '.', '..', '..%2f', 'a/b', 'x'.repeat(129), 'é', 'a b'])
        await expect(importSession(store(), [header(id), line(1)])).rejects.toMatchObject(refused);
      for (const time of [-1, 8.64e15 + 1, '1', null]) {
        const id = crypto.randomUUID();
        await expect(importSession(store(), [header(id), line(time)])).rejects.toMatchObject(refused);
        expect(await store().sessions.get(id)).toBeUndefined();
      }
      const id = crypto.randomUUID();
      expect(await importSession(store(), [header('a/b'), line(8.64e15)], { as: id })).toMatchObject({ id });
    });

    it('[LOG26] a file that is not an export is refused, and leaves nothing behind', async () => {
      const id = crypto.randomUUID();
      const header = headerOf(id);
      const entry = JSON.stringify({ seq: 1, time: 1, author: AGENT, line: 'x' });
      const files = [
        [],
        ['no JSON'],
        [header.replace('"signalbox":1', '"signalbox":99')],
        [JSON.stringify({ signalbox: 1 })],
        [header, entry, entry],
        [header, JSON.stringify({ seq: 1, time: 1, author: { by: 'stranger' }, line: 'x' })],
        [header, JSON.stringify({ seq: 1, time: 1, author: AGENT })],
        [header, entry, '{"seq":2,"ti'],
      ];
      for (const file of files) {
        await expect(importSession(store(), file)).rejects.toMatchObject({ code: 'SESSION_FILE_INVALID' });
        expect(await store().sessions.get(id)).toBeUndefined();
      }
    });
  });
}
