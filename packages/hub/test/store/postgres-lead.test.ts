import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { HAS_POSTGRES, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { databaseAddress } from '../../src/store/postgres/database-address.ts';
import { LeadWatch, lead, takeLead } from '../../src/store/postgres/lead.ts';
import { PostgresConnection } from '../../src/store/postgres/postgres-connection.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { LOCKS } from '../../src/store/postgres/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { append, newSession, sampleAppend, sampleTexts, wholeRecord } from './sample-record.ts';

const APPENDING = builtProgram('packages/hub/test/store/appending-child.ts');

const END_LEASE = "UPDATE signalbox.lead SET until = clock_timestamp() - interval '1 second'";

async function opened(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  onTestFinished(() => store.close());
  return store;
}

async function connectionTo(url: string): Promise<PostgresConnection> {
  const connection = await PostgresConnection.open(databaseAddress(url));
  onTestFinished(() => connection.end());
  return connection;
}

/** A process that appends to a session for ever, until it is refused. */
async function appender(url: string, session: string) {
  const child = spawn(process.execPath, [APPENDING, url, session], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [safe, errors] = [0, ''];
  createInterface(child.stdout).on('line', (line) => {
    safe = Number(line.split(' ')[1]);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exited = once(child, 'close');
  await expect.poll(() => safe).toBeGreaterThan(20);
  return { child, exited, safe: () => safe, errors: () => errors };
}

describe.runIf(HAS_POSTGRES)('who leads at a database', () => {
  it('[NO3020] of those that find the lead free at the same moment one takes it', async () => {
    const url = await (await sharedCluster()).createDatabase();
    await (await openPostgresStore(url)).close();
    const connections = await Promise.all(Array.from({ length: 8 }, () => connectionTo(url)));
    const free = await Promise.all(connections.map((one) => new LeadWatch(one, '').look()));
    expect(free.map(({ isFree }) => isFree)).not.toContain(false);
    const taken = await Promise.all(
      connections.map(async (one, at) => takeLead(one, `node ${at}`, free[at] ?? raise())),
    );
    expect(taken.filter((generation) => generation !== undefined)).toHaveLength(1);
    await expect(openPostgresStore(url)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  });

  it('[NO3021] a process that was stopped until its lease had ended, and let go on, stores nothing more', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    const [session, ours] = [crypto.randomUUID(), 'zombie-1'];
    const zombie = await appender(url, session);
    zombie.child.kill('SIGSTOP');
    // What it is stopped in the middle of is stored or not: the database is asked once nothing moves any more.
    await cluster.query(url, END_LEASE);
    const store = await opened(url);
    const { count } = (await store.record.position(session)) ?? { count: 0 };
    await append(store, [{ ...sampleAppend(session, 1, 3), position: { epoch: ours, count: 3 } }]);
    zombie.child.kill('SIGCONT');
    await zombie.exited;
    expect(zombie.errors()).toContain('STORE_LEAD_LOST');
    expect(zombie.safe()).toBeLessThanOrEqual(count);
    await append(store, [{ ...sampleAppend(session, 4, 5), position: { epoch: ours, count: 5 } }]);
    const expected = [...sampleTexts(1, count), ...sampleTexts(1, 5)];
    expect(await wholeRecord(store, session)).toEqual(expected);
  });

  it('[NO3022] one whose lease has ended goes on as long as nobody else leads', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    const store = await opened(url);
    const session = await newSession(store);
    for (const number of [1, 2, 3]) {
      await cluster.query(url, END_LEASE);
      await append(store, [sampleAppend(session, number, number)]);
    }
    expect(await wholeRecord(store, session)).toEqual(sampleTexts(1, 3));
  });

  it('[NO3023] what a stopped node has locked in the middle of a transaction is free for the next one', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    const first = await openPostgresStore(url);
    const session = await newSession(first);
    await first.close();
    const stopped = await connectionTo(url);
    await lead(stopped, { node: 'stopped', shown: url, patienceMs: 0 });
    stopped.begin();
    await stopped.ask('SELECT FROM session FOR UPDATE');
    await cluster.query(url, END_LEASE);
    const second = await opened(url);
    expect(await append(second, [sampleAppend(session, 1, 1)])).toMatchObject([{ first: 1 }]);
    await expect(stopped.commit()).rejects.toThrow();
  });

  it('[NO3024] a lead that was given back is free at once, that of a killed process to itself, and to others a moment later', async () => {
    const url = await (await sharedCluster()).createDatabase();
    await (await openPostgresStore(url)).close();
    const takes = async (node: string, patienceMs = 0): Promise<PostgresConnection> => {
      const connection = await connectionTo(url);
      await lead(connection, { node, shown: url, patienceMs });
      return connection;
    };
    const killed = await takes('a');
    await expect(takes('a')).rejects.toMatchObject({ code: 'STORE_IN_USE' });
    await killed.end();
    await expect(takes('b')).rejects.toMatchObject({ code: 'STORE_IN_USE' });
    const again = await takes('a');
    await again.end();
    // The lease is good for longer than that.
    await takes('b', 5000);
  });

  it('[NO3803] a node that finds another one leading waits for nothing: it can follow', async () => {
    const url = await (await sharedCluster()).createDatabase();
    await (await openPostgresStore(url)).close();
    const [one, other] = [await connectionTo(url), await connectionTo(url)];
    await lead(one, { node: 'a', shown: url, patienceMs: 0 });
    const patient = lead(other, { node: 'b', shown: url, patienceMs: Infinity });
    await expect(patient).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  });

  it('[NO3025] a hub of an earlier version, which holds a lock and no lease, is not written beside', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    await (await openPostgresStore(url)).close();
    await cluster.query(url, "UPDATE signalbox.lead SET generation = 0, until = '-infinity'");
    const earlier = await connectionTo(url);
    await earlier.ask('SELECT pg_advisory_lock($1, $2)', [LOCKS.of, LOCKS.hub]);
    await expect(openPostgresStore(url)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
    await earlier.end();
    await opened(url);
  });
});

function raise(): never {
  throw new Error('nobody looked');
}
