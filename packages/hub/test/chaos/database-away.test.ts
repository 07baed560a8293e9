import { until } from '@signalbox/testing/hub/test-parts';
import { HAS_POSTGRES, PostgresCluster } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gather, isQuiet } from './gathering.ts';
import { violationsIn } from './invariants.ts';
import { type Player, Stage } from './stage.ts';

const LINES = 60;

/** A cluster of the test's own, which it may stop. */
async function ownCluster(): Promise<PostgresCluster> {
  const cluster = await PostgresCluster.start();
  onTestFinished(() => cluster.stop('immediate'));
  return cluster;
}

/** Two agents behind bridges: one streams, the other has asked and is answered by nobody yet. */
async function busyStage(database: string) {
  const stage = await Stage.set({}, database);
  const [streaming, asking] = [await stage.addPlayer('streaming'), await stage.addPlayer('asking')];
  const admitted = await Promise.all(
    [
      { session: 'streaming', content: { lines: LINES, asks: 0, paceMs: 50 } },
      { session: 'asking', content: { lines: 3, asks: 1, paceMs: 1 } },
    ].map(async ({ session, content }) => {
      const { id } = await stage.api.prompt(session, { clientId: 'p', content: JSON.stringify(content) });
      return { clientId: 'p', id, delivery: 'queue' as const };
    }),
  );
  const question = async () => (await stage.api.permissions({ session: 'asking' })).items[0];
  await until(async () => (await question()) !== undefined);
  await until(async () => (await stage.recordOf('streaming')).length > 5);
  return { stage, streaming, asking, admitted, question };
}

/** Nothing that anybody was told is missing, doubled or in another order. */
async function expectWhole(
  stage: Stage,
  player: Player,
  prompt: Parameters<typeof gather>[2]['admitted'][number],
) {
  await until(() => isQuiet(stage, player.session));
  expect(violationsIn(await gather(stage, player, { admitted: [prompt], told: [] }))).toEqual([]);
}

describe.runIf(HAS_POSTGRES)('a database that goes away', () => {
  it('[LOG3120] comes back: an agent streams behind its bridge and a question is open meanwhile, and everything goes on by itself', async () => {
    const cluster = await ownCluster();
    const { stage, streaming, asking, admitted, question } = await busyStage(await cluster.createDatabase());
    const open = await question();
    const { pid } = stage.hub;
    await cluster.stop('immediate');
    // The agent says all that it has to say: its bridge keeps it.
    const saidAll = () =>
      stage.runsOf('streaming')[0]?.said.some((line) => line.includes('"type":"result"')) ?? false;
    await until(saidAll);
    await expect(stage.api.prompt('streaming', { clientId: 'away', content: 'x' })).rejects.toThrow(
      'The database does not answer',
    );
    await cluster.resume();
    await until(async () => (await fetch(`${stage.hub.url}/readyz`)).ok);
    expect(stage.hub.pid).toBe(pid);
    expect(await question()).toMatchObject({ requestId: open?.requestId, state: 'open' });
    await stage.api.answer('asking', open?.requestId ?? '', { behavior: 'allow' });
    for (const [at, player] of [streaming, asking].entries()) {
      const prompt = admitted[at];
      if (prompt) await expectWhole(stage, player, prompt);
    }
    await stage.dismissAgents();
  });

  it('[LOG3121] fails over to a synchronous standby: the hub follows by its address, and nothing acknowledged is lost', async () => {
    const primary = await ownCluster();
    const url = await primary.createDatabase();
    const standby = await primary.startStandby();
    onTestFinished(() => standby.stop('immediate'));
    const name = new URL(url).pathname;
    const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
    const both = url.replace(/@[^/]*\/.*/, `@${hosts}${name}?target_session_attrs=read-write`);
    const { stage, streaming, asking, admitted, question } = await busyStage(both);
    const open = await question();
    const acknowledged = (await stage.recordOf('streaming')).length;
    await primary.stop('immediate');
    await standby.promote();
    const goesOn = async () => (await stage.recordOf('streaming')).length > acknowledged;
    // On a busy machine the agent may have said all that it has to say before the server is stopped.
    const isBack = async () =>
      (await isQuiet(stage, 'streaming')) && (await fetch(`${stage.hub.url}/readyz`)).ok;
    await until(async () => (await goesOn()) || (await isBack()));
    await stage.api.answer('asking', open?.requestId ?? '', { behavior: 'allow' });
    for (const [at, player] of [streaming, asking].entries()) {
      const prompt = admitted[at];
      if (prompt) await expectWhole(stage, player, prompt);
    }
    await stage.dismissAgents();
  });
});
