import { assistant, TestAgent } from '@signalbox/testing/hub/test-agent';
import { type Answer, call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { HAS_POSTGRES, PostgresCluster, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { append, newSession, sampleAppend, sampleTexts, wholeRecord } from './sample-record.ts';

const DISK_BYTES = 24 * 1024 * 1024;
const LINES = 20;

/** Compresses badly, and lies in the table itself. */
const FILL = 'INSERT INTO ballast SELECT repeat(md5(random()::text), 40) FROM generate_series(1, 200)';

async function opened(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  onTestFinished(() => store.close());
  return store;
}

describe.runIf(HAS_POSTGRES)('a PostgreSQL database that takes nothing', () => {
  it('[NO3792] is full: that is said by name, nothing is acknowledged, everything can be read, and all goes on by itself when there is room', async () => {
    const cluster = await PostgresCluster.start(DISK_BYTES);
    onTestFinished(() => cluster.stop());
    const url = await cluster.createDatabase();
    await cluster.query(
      url,
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_tablespace = small`,
    );
    const store = await opened(url);
    const { hub, token } = await startTestHub({ store });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await cluster.query(url, 'CREATE TABLE ballast (body text)');
    await cluster.query(url, 'ALTER TABLE ballast ALTER body SET STORAGE PLAIN');
    for (let isFull = false; !isFull; )
      isFull = await cluster.query(url, FILL).then(
        () => false,
        ({ code }: { code?: string }) => code === '53100',
      );
    const prompt = (id: string): Promise<Answer> =>
      call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId: id, content: 'x'.repeat(200_000) });
    const sent: string[] = [];
    const full = await until(async () => {
      const id = `p${sent.length}`;
      const answer = await prompt(id);
      if (answer.status !== 201) return { id, answer };
      sent.push(id);
      return undefined;
    });
    expect(full.answer).toMatchObject({ status: 507, body: { code: 'STORE_FULL' } });
    expect(JSON.stringify(full.answer.body)).not.toContain(cluster.urlOf('').split('@')[0]);
    const ready = async (): Promise<unknown> => {
      const response = await fetch(`${hub.url}/readyz`);
      return [response.status, (await response.text()).trim()];
    };
    expect(await ready()).toEqual([503, 'STORE_FULL']);
    const said = Array.from({ length: LINES }, (_, n) => `line ${n} ${'y'.repeat(50_000)}`);
    const saying = (async () => {
      for (const text of said) await agent.say(assistant(text));
    })();
    expect((await call(hub.url, token, 'GET', '/api/sessions')).body.items).toHaveLength(1);
    await cluster.query(url, 'DROP TABLE ballast');
    await saying;
    const recorded = async (type: string): Promise<string[]> => {
      const { entries } = (await call(hub.url, token, 'GET', '/api/sessions/s/events?limit=1000')).body;
      return entries.flatMap(({ message }: Answer['body']) =>
        message?.type === type ? [message.message.content[0].text] : [],
      );
    };
    await until(async () => (await recorded('assistant')).length >= LINES);
    expect(await recorded('assistant')).toEqual(said);
    await until(async () => (await prompt(full.id)).status === 201);
    const { items } = (await call(hub.url, token, 'GET', '/api/sessions/s/prompts?limit=1000')).body;
    expect(items.map(({ clientId }: Answer['body']) => clientId)).toEqual([...sent, full.id]);
    expect(await ready()).toEqual([200, 'ok']);
  });

  it('[NO3793] can only be read all at once: that is said by name, and it is gone on with as soon as it takes writes again', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    const name = new URL(url).pathname.slice(1);
    const store = await opened(url);
    const session = await newSession(store);
    await append(store, [sampleAppend(session, 1, 1)]);
    await cluster.query('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
    await cluster.query('postgres', cut);
    const more = sampleAppend(session, 2, 2);
    await expect(append(store, [more])).rejects.toMatchObject({ code: 'STORE_READ_ONLY' });
    expect(await wholeRecord(store, session)).toEqual(sampleTexts(1, 1));
    await cluster.query('postgres', `ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await append(store, [more]);
    expect(await wholeRecord(store, session)).toEqual(sampleTexts(1, 2));
  });
});
