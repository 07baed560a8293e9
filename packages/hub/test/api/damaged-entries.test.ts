import { readFileSync, writeFileSync } from 'node:fs';
import { call, startTestHub, temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { Log } from '../../src/base/log.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

describe('a damaged entry', () => {
  it('[AP48] is in the log once, by its session and number and without its content, and in the figures', async () => {
    const file = `${temporaryFolder()}/hub.db`;
    const before = await openSqliteStore(file);
    await before.sessions.create('s');
    const lines = ['first', 'second', 'third'].map((text) => ({
      bytes: Buffer.from(JSON.stringify({ type: 'note', text })),
    }));
    await before.commit({ appends: [{ session: 's', author: { by: 'agent' }, lines }] });
    await before.close();
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf('second'); at !== -1; at = bytes.indexOf('second', at + 1))
      bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);

    const store = await openSqliteStore(file);
    let log = '';
    const write = (line: string): void => {
      log += line;
    };
    const { hub, token } = await startTestHub({ store, log: new Log({ write, level: 'debug' }) });
    const figure = async () =>
      /^signalbox_entries_damaged (\d+)$/m.exec((await call(hub.url, token, 'GET', '/metrics')).body)?.[1];
    expect(await figure()).toBe('0');
    for (let n = 0; n < 3; n += 1) {
      const { entries } = (await call(hub.url, token, 'GET', '/api/sessions/s/events')).body;
      expect(entries.map(({ damaged }: { damaged?: boolean }) => damaged ?? false)).toEqual([
        false,
        true,
        false,
      ]);
    }
    expect(await figure()).toBe('1');
    const events = log.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
    const told = events.filter(({ event }) => event === 'damaged entry');
    expect(told).toEqual([
      expect.objectContaining({ level: 'warn', session: 's', seq: 2, code: 'STORE_ENTRY_DAMAGED' }),
    ]);
    expect(log).not.toContain('econd');
    expect((await fetch(`${hub.url}/readyz`)).status).toBe(200);
  });
});
