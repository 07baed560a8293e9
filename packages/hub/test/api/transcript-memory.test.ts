import { once } from 'node:events';
import { join } from 'node:path';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { peakMb } from '@signalbox/testing/peak-memory';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { unread } from '../limits/slow-clients.ts';

const LINES = 600;
const LINE_LENGTH = 100_000;

/** As many as one device may have under way. */
const READERS = 4;

it('[HB3260] transcripts of 60 MB, four at once, are never in memory as a whole', async () => {
  const home = temporaryFolder();
  const store = await openSqliteStore(join(home, 'hub.db'));
  await store.sessions.create('s');
  const message = { role: 'user', content: 'x'.repeat(LINE_LENGTH) };
  for (let first = 0; first < LINES; first += 20) {
    const lines = Array.from({ length: 20 }, (_, at) => ({
      bytes: Buffer.from(JSON.stringify({ type: 'user', uuid: `u${first + at}`, message })),
    }));
    await store.commit({ appends: [{ session: 's', author: { by: 'agent' }, lines }] });
  }
  await store.close();
  const hub = await HubProcess.start(home);
  const before = peakMb(hub.pid);
  const readers = Array.from({ length: READERS }, () =>
    unread(hub.url, hub.token, '/api/sessions/s/transcript'),
  );
  const answers = await Promise.all(readers);
  const read = answers.map(async (answer) => {
    expect(answer.statusCode).toBe(200);
    let length = 0;
    answer.on('data', (bytes: Buffer) => {
      length += bytes.length;
    });
    await once(answer, 'end');
    return length;
  });
  for (const length of await Promise.all(read)) expect(length).toBeGreaterThan(LINES * LINE_LENGTH);
  expect(peakMb(hub.pid) - before).toBeLessThan((READERS * LINES * LINE_LENGTH) / 1024 / 1024);
});
