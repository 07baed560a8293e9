import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHub } from '../../src/hub.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { TestFrontend } from '../relay/test-frontend.ts';
import { TestViewer } from './test-viewer.ts';

/** A hub on a file that has so many lines more than before, for as long as `work` takes. */
async function withHub<Result>(
  file: string,
  said: readonly string[],
  work: (url: string, token: string) => Promise<Result>,
): Promise<Result> {
  const store = await openSqliteStore(file);
  const hub = await startHub({ store });
  onTestFinished(async () => {
    await hub.close();
    await store.close();
  });
  if (!(await store.sessions.get('s'))) await store.sessions.create('s', { state: 'disconnected' });
  const lines = said.map((text) => ({ bytes: Buffer.from(JSON.stringify({ type: 'x', text })) }));
  await store.commit({ appends: [{ session: 's', author: { by: 'agent' }, lines }] });
  const result = await work(hub.url, await tokenFor(store));
  await hub.close();
  await store.close();
  return result;
}

describe('a cursor', () => {
  it('[HB1001] outlives the hub that gave it: it holds after a restart and on a copy, as far as that goes', async () => {
    const folder = temporaryFolder();
    const [file, copy] = [join(folder, 'hub.db'), join(folder, 'copy.db')];
    const watch = async (url: string, token: string, cursor?: object) => {
      const viewer = await TestViewer.connect(url, token);
      await viewer.ask({ type: 'subscribe', session: 's', ...(cursor ? { cursor } : {}) });
      const reset = viewer.told.find(({ type }) => type === 'reset');
      const texts = viewer.entries.map(({ message }) => message.text);
      return {
        texts,
        reason: reset?.reason,
        cursors: viewer.entries.map(({ seq, check }) => ({ seq, check })),
      };
    };
    const first = await withHub(file, ['a', 'b'], (url, token) => watch(url, token));
    copyFileSync(file, copy);
    const [, second] = first.cursors;
    const later = await withHub(file, ['c', 'd'], (url, token) => watch(url, token, second));
    expect(later).toMatchObject({ texts: ['c', 'd'], reason: undefined });
    const [third, fourth] = later.cursors;
    const restarted = await withHub(file, ['e'], (url, token) => watch(url, token, third));
    expect(restarted).toMatchObject({ texts: ['d', 'e'], reason: undefined });
    await withHub(copy, ['other', 'lines', 'here'], async (url, token) => {
      expect(await watch(url, token, second)).toMatchObject({ texts: ['other', 'lines', 'here'] });
      expect(await watch(url, token, fourth)).toMatchObject({
        texts: ['a', 'b', 'other', 'lines', 'here'],
        reason: 'rewritten',
      });
    });
  });

  it('[HB1001] holds on the wire as well; one of an earlier version is told that it does not', async () => {
    const file = join(temporaryFolder(), 'hub.db');
    const host = async (url: string, token: string, cursor: string) => {
      const frontend = await TestFrontend.connect(`${url}/api/sessions/s/wire`, {
        token,
        headers: { 'x-signalbox-cursor': cursor },
      });
      const attached = await frontend.finds(({ subtype }) => subtype === 'attached');
      return { frontend, attached };
    };
    const before = await withHub(file, ['a', 'b'], async (url, token) => {
      const { attached } = await host(url, token, 'new');
      expect(attached).toMatchObject({ seq: 2, resumed: false });
      return attached;
    });
    await withHub(file, ['c'], async (url, token) => {
      const { frontend, attached } = await host(url, token, `${before.seq}:${before.check}`);
      expect(attached).toMatchObject({ seq: 2, resumed: true });
      await frontend.finds(({ text }) => text === 'c');
      for (const stale of ['AAAAAAAAAAAA:2', '2:1', '-1:0', '']) {
        const { attached: anew } = await host(url, token, stale);
        expect(anew).toMatchObject({ seq: 3, resumed: false });
      }
    });
  });
});
