import {
  CLUSTER_PASSWORD,
  HAS_POSTGRES,
  PostgresCluster,
  sharedCluster,
} from '@signalbox/testing/postgres-cluster';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseAddress } from '../../src/store/postgres/database-address.ts';
import { LeadWatch, takeLead } from '../../src/store/postgres/lead.ts';
import { PostgresConnection } from '../../src/store/postgres/postgres-connection.ts';
import { PostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';

import type { Call } from '../../src/store/sql/call.ts';
import { storeOver } from '../../src/store/sql/store-parts.ts';
import { LocalSearch } from '../../src/store/sqlite/search/local-search.ts';
import type { Store } from '../../src/store/store.ts';
import { storeErrorOf } from '../../src/store/store-errors.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import {
  AGENT,
  append,
  newSession,
  sampleAppend,
  sampleLine,
  sampleTexts,
  wholeRecord,
} from './sample-record.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** A store whose every call is a transaction, on this thread. */
async function storeHere(url: string, now?: () => number): Promise<{ engine: PostgresEngine; store: Store }> {
  const engine = await PostgresEngine.open(databaseAddress(url), now ? { now } : {});
  const caller: Parameters<typeof storeOver>[0] = async (call) => {
    const [outcome] = await engine.perform([call]);
    if (outcome?.state === 'failed') throw storeErrorOf(outcome.failure);
    return outcome?.value;
  };
  const search = new LocalSearch(caller);
  const store = storeOver(caller, { generation: engine.generation, onCommit: () => {}, search }, () =>
    engine.close(),
  );
  onTestFinished(() => store.close());
  return { engine, store };
}

/** What a store asks of its database, which is not asked. */
async function callsOf(use: (store: Store) => readonly Promise<unknown>[]): Promise<Call[]> {
  const calls: Call[] = [];
  const caller: Parameters<typeof storeOver>[0] = async (call) => void calls.push(call);
  const search = new LocalSearch(caller);
  const store = storeOver(caller, { generation: 0, onCommit: () => {}, search }, async () => {});
  await Promise.allSettled(use(store));
  return calls;
}

/** Another connection to a database. */
async function connectionTo(url: string): Promise<PostgresConnection> {
  const connection = await PostgresConnection.open(databaseAddress(url));
  onTestFinished(() => connection.end());
  return connection;
}

/** What a database is not opened for; no word of it has the password. */
async function refusal(url: string): Promise<string> {
  const error: unknown = await openPostgresStore(url).then(
    (store) => store.close(),
    (problem: unknown) => problem,
  );
  if (!(error instanceof Error && 'code' in error)) return 'opened';
  for (const secret of [CLUSTER_PASSWORD, encodeURIComponent(CLUSTER_PASSWORD), 'mine123'])
    expect(`${error.message} ${error.stack}`).not.toContain(secret);
  return String(error.code);
}

describe.runIf(HAS_POSTGRES)('a store in PostgreSQL', () => {
  it('[LOG2201] a database that cannot be used is refused by name, without its password, and is left as it is', async () => {
    const cluster = await sharedCluster();
    for (const wrong of ['nonsense mine123', 'mysql://u:mine123@h/db', 'postgres://u:mine123@localhost'])
      expect(await refusal(wrong)).toBe('STORE_ADDRESS');
    const url = await cluster.createDatabase();
    const name = new URL(url).pathname.slice(1);
    expect(await refusal(cluster.urlOf(name, 'mine123'))).toBe('STORE_REFUSED');
    expect(await refusal(cluster.urlOf('nowhere'))).toBe('STORE_REFUSED');
    expect(await refusal(url.replace(`:${cluster.port}`, ':1'))).toBe('STORE_UNREACHABLE');
    await cluster.query(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    expect(await refusal(url)).toBe('STORE_READ_ONLY');
    await cluster.query('postgres', `ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await cluster.query(url, 'CREATE TABLE customers (id int)');
    expect(await refusal(url)).toBe('STORE_FOREIGN');
    expect(await cluster.query(url, "SELECT to_regnamespace('signalbox') AS made")).toEqual([{ made: null }]);
    await cluster.query(url, 'DROP TABLE customers');
    const store = await openPostgresStore(url);
    expect(await refusal(url)).toBe('STORE_IN_USE');
    await store.close();
    // One that a newer hub has added to is gone on with, for as long as that hub says that it may be.
    await cluster.query(url, 'UPDATE signalbox.version SET number = 99');
    expect(await refusal(url)).toBe('opened');
    await cluster.query(url, 'UPDATE signalbox.version SET oldest = 99');
    expect(await refusal(url)).toBe('STORE_TOO_NEW');
  });

  it('[LOG2202] while PostgreSQL is away commits wait, and go on by themselves: what was acknowledged is there, all of it once', async () => {
    // One of its own: how long it takes to come back depends on all that lies there.
    const cluster = await PostgresCluster.start();
    onTestFinished(() => cluster.stop());
    const url = await cluster.createDatabase();
    const store = await openPostgresStore(url);
    onTestFinished(() => store.close());
    const session = await newSession(store);
    let acknowledged = 0;
    const written = (async () => {
      for (let number = 1; number <= 400; number += 1) {
        await append(store, [sampleAppend(session, number, number)]);
        acknowledged = number;
      }
    })();
    await expect.poll(() => acknowledged, { interval: 5 }).toBeGreaterThan(20);
    await cluster.stop('immediate');
    const before = acknowledged;
    await cluster.resume();
    await written;
    expect(before).toBeLessThan(400);
    expect(await wholeRecord(store, session)).toEqual(sampleTexts(1, 400));
  });

  it('[LOG2203] a transaction that was cut off before its answer is not made twice', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    const proxy = await CuttingProxy.to(cluster.port);
    const { store } = await storeHere(proxy.by(url));
    const session = await newSession(store);
    await append(store, [sampleAppend(session, 1, 1)]);
    const cut = proxy.cutNextCommit('answer');
    const [appended] = await append(store, [sampleAppend(session, 2, 2)]);
    await cut;
    expect(appended).toMatchObject({ first: 2, count: 1 });
    await append(store, [sampleAppend(session, 3, 3)]);
    expect(await wholeRecord(store, session)).toEqual(sampleTexts(1, 3));
    const { items } = await store.updates.after(0);
    expect(items).toMatchObject([{ kind: 'updated', session, last: 3 }]);
  });

  it('[LOG2204] a week of which retention has left nothing is dropped with its partition; records go on over weeks', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    let now = 1000 * WEEK_MS;
    const { engine, store } = await storeHere(url, () => now);
    const [old, long] = [await newSession(store), await newSession(store)];
    await append(store, [sampleAppend(old, 1, 3), sampleAppend(long, 1, 3)]);
    now += WEEK_MS;
    await append(store, [sampleAppend(long, 4, 6)]);
    const weeks =
      "SELECT relname FROM pg_class WHERE relname ~ '^run_1[0-9]+$' AND relkind = 'r' ORDER BY relname";
    const partitions = async (): Promise<unknown[]> =>
      (await cluster.query(url, weeks)).map(({ relname }) => relname);
    expect(await partitions()).toEqual(['run_1000', 'run_1001']);
    expect(await wholeRecord(store, long)).toEqual(sampleTexts(1, 6));
    await store.retention.trim(long, 3);
    await engine.rest();
    expect(await partitions()).toEqual(['run_1000', 'run_1001']);
    const { usedBytes } = await store.retention.size();
    await store.sessions.remove(old);
    expect((await store.retention.size()).usedBytes).toBeLessThan(usedBytes);
    now += WEEK_MS;
    await store.retention.trim(long, 4);
    await engine.rest();
    expect(await partitions()).toEqual(['run_1001']);
    expect((await store.record.window(long, 1)).entries.map(({ seq }) => seq)).toEqual([5, 6]);
    expect(await store.record.locate(long, 'uuid-6')).toBe(6);
  });

  it('[LOG2205] everything is there again after a restart, under a later generation; what is damaged says so, and nothing else is', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    const first = await openPostgresStore(url);
    const session = await newSession(first);
    for (const number of [1, 2, 3, 4]) await append(first, [sampleAppend(session, number, number)]);
    const half = crypto.randomUUID();
    await first.sessions.beginImport(half);
    await append(first, [{ session: half, author: AGENT, lines: [{ bytes: Buffer.from('x') }] }]);
    const { position } = await first.updates.after(0);
    await first.close();
    await expect(first.sessions.get(session)).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await cluster.query(url, 'UPDATE signalbox.run SET body = set_byte(body, 60, 7) WHERE first = 2');
    await cluster.query(url, 'DELETE FROM signalbox.run WHERE first = 3');
    const second = await openPostgresStore(url);
    onTestFinished(() => second.close());
    expect(second.generation).toBeGreaterThan(first.generation);
    expect(await wholeRecord(second, session)).toEqual([sampleLine(1), 'damaged', 'damaged', sampleLine(4)]);
    expect((await second.record.tail(session, 2)).entries.map(({ kind }) => kind)).toEqual([
      'damaged',
      'line',
    ]);
    // What a process was killed over that imported it is gone, and its id is free.
    await second.sessions.create(half);
    await second.sessions.update(session, { title: 'later' });
    const { items } = await second.updates.after(position);
    expect(items.filter((one) => one.session === session)).toHaveLength(1);
  });

  it('[LOG2930] tidying up never ends the transaction of others: what is refused in the middle leaves nothing', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    const { engine, store } = await storeHere(url);
    const session = await newSession(store);
    await append(store, [sampleAppend(session, 1, 1)]);
    const audit = (what: string) =>
      ({ kind: 'audit', decision: { session, subject: '', author: AGENT, what, why: null } }) as const;
    // Its last commit has written something when it is refused: all of them are carried out anew, one by one.
    const calls = await callsOf((recorded) => [
      recorded.commit({ appends: [sampleAppend(session, 2, 2)], effects: [audit('first')] }),
      ...Array.from({ length: 30 }, (_, title) => recorded.sessions.update(session, { title: `${title}` })),
      recorded.commit({ effects: [audit('refused'), { kind: 'cancel-prompt', id: 'nobody' }] }),
    ]);
    const blocker = await connectionTo(url);
    blocker.begin();
    await blocker.ask('SELECT FROM session FOR UPDATE');
    const outcomes = engine.perform(calls);
    const waiting = async (): Promise<number> =>
      (await cluster.query(url, 'SELECT FROM pg_locks WHERE NOT granted')).length;
    await expect.poll(waiting, { interval: 5 }).toBe(1);
    const tidied = engine.rest();
    await blocker.rollBack();
    const states = (await outcomes).map(({ state }) => state);
    await tidied;
    expect(states).toEqual([...states.slice(1).map(() => 'done'), 'failed']);
    expect(await wholeRecord(store, session)).toEqual(sampleTexts(1, 2));
    const { items } = await store.audit.list();
    expect(items.map(({ what }) => what)).toEqual(['first']);
  });

  it('[LOG2931] a hub that was cut off stores nothing more once another one leads', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    const { store } = await storeHere(url);
    const session = await newSession(store);
    const other = await connectionTo(url);
    const { holder, ...seen } = await new LeadWatch(other, '').look();
    await cluster.query(url, `SELECT pg_terminate_backend(${holder})`);
    expect(await append(store, [sampleAppend(session, 1, 1)])).toMatchObject([{ first: 1, count: 1 }]);
    const now = await new LeadWatch(other, '').look();
    expect(now.generation).toBe(seen.generation);
    expect(await takeLead(other, 'other', now)).toBeGreaterThan(store.generation);
    const refused = { code: 'STORE_LEAD_LOST' };
    await expect(append(store, [sampleAppend(session, 2, 2)])).rejects.toMatchObject(refused);
    await expect(store.sessions.create('s')).rejects.toMatchObject(refused);
    expect(await cluster.query(url, 'SELECT id, last FROM signalbox.session')).toEqual([
      { id: session, last: '1' },
    ]);
  });
});
