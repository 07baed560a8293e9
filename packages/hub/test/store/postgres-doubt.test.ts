import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { HAS_POSTGRES, type PostgresCluster, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { TestViewer } from '../live/test-viewer.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { append, newSession, sampleAppend, sampleTexts, wholeRecord } from './sample-record.ts';

/** Longer than a commit takes on a busy machine. */
const WAIT_MS = 2000;

/** A store whose database is reached by a way that can be cut. */
interface Place {
  cluster: PostgresCluster;
  url: string;
  proxy: CuttingProxy;
  store: Store;
}

async function place(waitMs?: number): Promise<Place> {
  const cluster = await sharedCluster();
  const url = await cluster.createDatabase();
  const proxy = await CuttingProxy.to(cluster.port);
  const store = await openPostgresStore(proxy.by(url), waitMs === undefined ? {} : { waitMs });
  onTestFinished(() => store.close());
  return { cluster, url, proxy, store };
}

/** Settles when the store waits for the session of the transaction that was cut off: it makes that again. */
async function makesItAgain({ cluster, url }: Place): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND query LIKE '%FROM session WHERE id = % FOR UPDATE'`;
  await until(async () => (await cluster.query(url, waiting)).length > 0);
}

describe.runIf(HAS_POSTGRES)('a transaction that is cut off in its end', () => {
  it('[NO3891] is made once, also when the server comes to that end only after it was made again', async () => {
    const here = await place();
    const { store, proxy } = here;
    const session = await newSession(store);
    await append(store, [sampleAppend(session, 1, 1)]);
    const cut = proxy.cutNextCommit('end');
    const appended = append(store, [sampleAppend(session, 2, 2)]);
    await cut;
    await makesItAgain(here);
    await proxy.goOn();
    expect(await appended).toMatchObject([{ first: 2, count: 1 }]);
    await append(store, [sampleAppend(session, 3, 3)]);
    expect(await wholeRecord(store, session)).toEqual(sampleTexts(1, 3));
  });

  it('[NO3892] is neither confirmed nor refused before it is known what became of it; all else is refused meanwhile', async () => {
    const here = await place(WAIT_MS);
    const { store, proxy } = here;
    const session = await newSession(store);
    await append(store, [sampleAppend(session, 1, 1)]);
    let doubts = 0;
    store.onDoubt?.(() => {
      doubts += 1;
    });
    for (const [at, number] of [
      ['answer', 2],
      ['end', 3],
    ] as const) {
      let isSettled = false;
      const cut = proxy.cutNextCommit(at, { andStayAway: true });
      const appended = append(store, [sampleAppend(session, number, number)]);
      void appended.finally(() => {
        isSettled = true;
      });
      await cut;
      await expect(store.sessions.update(session, { title: 'too late' })).rejects.toMatchObject({
        code: 'STORE_UNREACHABLE',
      });
      await expect(store.sessions.get(session)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
      expect([isSettled, doubts > 0]).toEqual([false, true]);
      proxy.comeBack();
      if (at === 'end') {
        await makesItAgain(here);
        await proxy.goOn();
      }
      expect(await appended).toMatchObject([{ first: number, count: 1 }]);
    }
    expect(await wholeRecord(store, session)).toEqual(sampleTexts(1, 3));
    expect((await store.sessions.get(session))?.title).not.toBe('too late');
  });

  it('[NO3892] keeps nobody from closing the store, and is said to be uncertain then', async () => {
    const { store, proxy } = await place(WAIT_MS);
    const session = await newSession(store);
    await append(store, [sampleAppend(session, 1, 1)]);
    const doubtful = new Promise<void>((resolve) => store.onDoubt?.(resolve));
    void proxy.cutNextCommit('answer', { andStayAway: true });
    const appended = append(store, [sampleAppend(session, 2, 2)]);
    await doubtful;
    await Promise.all([store.close(), expect(appended).rejects.toMatchObject({ code: 'STORE_UNCERTAIN' })]);
  });

  it('[NO3893] is told to whoever asked as uncertain; what follows from it is done once it is known, and to ask again does nothing twice', async () => {
    const { store, proxy } = await place(WAIT_MS);
    const { hub } = await startTestHub({ store });
    const token = await tokenFor(store);
    const ask = (method: string, path: string, body?: object) => call(hub.url, token, method, path, body);
    await ask('POST', '/api/sessions', { id: 's' });
    const uncertain = { status: 503, body: { code: 'STORE_UNCERTAIN' } };
    const prompt = { clientId: 'p', content: 'go' };
    void proxy.cutNextCommit('answer', { andStayAway: true });
    expect(await ask('POST', '/api/sessions/s/prompts', prompt)).toMatchObject(uncertain);
    expect(await ask('POST', '/api/sessions/s/prompts', prompt)).toMatchObject({
      status: 503,
      body: { code: 'STORE_UNREACHABLE' },
    });
    proxy.comeBack();
    await until(async () => (await ask('GET', '/api/me')).status === 200);
    const { status, body } = await ask('POST', '/api/sessions/s/prompts', prompt);
    expect(status).toBeLessThan(300);
    expect((await ask('GET', '/api/sessions/s/prompts')).body).toMatchObject({ items: [{ id: body.id }] });

    const { device, token: phone } = await store.devices.add({
      person: 'Ann',
      name: 'phone',
      scope: 'watch',
      session: null,
    });
    const viewer = await TestViewer.connect(hub.url, phone);
    void proxy.cutNextCommit('answer', { andStayAway: true });
    expect(await ask('DELETE', `/api/devices/${device.id}`)).toMatchObject(uncertain);
    expect(viewer.closed).toBeUndefined();
    proxy.comeBack();
    await until(() => viewer.closed);
  });
});
