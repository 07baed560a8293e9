import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runUp, UP } from '@signalbox/testing/hub/run-up';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { HAS_POSTGRES, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';
import { NodeStage } from './node-stage.ts';

describe.runIf(HAS_POSTGRES)('several hubs on one database', () => {
  it('[NO3030] every door is on every node: agents, viewers and requests reach the one that leads', async () => {
    const stage = await NodeStage.open(2);
    const [first, second] = stage.nodes;
    if (!first || !second) throw new Error('no nodes');
    expect(second.output()).toContain('follows it');
    const agent = await TestAgent.dial(`${second.url}/ws/s`, second.token);
    const viewer = await TestViewer.connect(second.url, second.token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    await call(second.url, second.token, 'POST', '/api/sessions/s/prompts', { clientId: 'p', content: 'go' });
    await agent.hears(({ type }) => type === 'user');
    await agent.ask('q');
    const open = async (url: string, token: string) =>
      (await call(url, token, 'GET', '/api/permissions')).body.items.length;
    await until(async () => (await open(first.url, first.token)) === 1);
    expect(await open(second.url, second.token)).toBe(1);
    const answer = { behavior: 'allow' };
    const answered = await call(
      second.url,
      second.token,
      'POST',
      '/api/sessions/s/permissions/q/answer',
      answer,
    );
    expect(answered.body).toMatchObject({ isFirst: true, permission: { state: 'answered' } });
    await agent.hears(({ response }) => response?.request_id === 'q');
    await agent.play('done');
    const direct = await TestViewer.connect(first.url, first.token);
    await direct.ask({ type: 'subscribe', session: 's' });
    await until(() => JSON.stringify(direct.entries).includes('done'));
    await until(() => viewer.entries.length === direct.entries.length);
    const seen = ({ entries }: TestViewer) => entries.map(({ seq, check }) => [seq, check]);
    expect(seen(viewer)).toEqual(seen(direct));
  });

  it('[NO3031] a request that was passed on is passed on no further, and one that only says so is like any other', async () => {
    const stage = await NodeStage.open(2);
    const [, second] = stage.nodes;
    const cluster = await sharedCluster();
    const [{ value } = {}] = await cluster.query(stage.database, 'SELECT value FROM signalbox.node_secret');
    const ask = async (secret: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${second?.token}`, 'x-signalbox-node': secret };
      const response = await fetch(`${second?.url}/api/me`, { headers });
      return [response.status, /"code":"(\w+)"/.exec(await response.text())?.[1]];
    };
    expect(await ask(String(value))).toEqual([503, 'NOT_LEADING']);
    expect(await ask('guessed')).toEqual([200, undefined]);
  });

  it('[NO3032] a node that cannot reach the one that leads says so by name, and is not ready', async () => {
    const stage = await NodeStage.open(2);
    const [, second] = stage.nodes;
    const ready = async (): Promise<number> => (await fetch(`${second?.url}/readyz`)).status;
    expect(await ready()).toBe(200);
    await (await sharedCluster()).query(
      stage.database,
      "UPDATE signalbox.node SET address = 'unix:/nowhere' WHERE id = (SELECT node FROM signalbox.lead)",
    );
    await until(async () => (await ready()) === 503);
    const told = await (await fetch(`${second?.url}/readyz`)).text();
    expect(told).toContain('NO_LEADER');
    expect(told).toContain('unix:/nowhere');
    expect((await fetch(`${second?.url}/healthz`)).status).toBe(200);
  });

  it('[NO3033] an address that is none is refused, and so is a second node in the same home', async () => {
    const stage = await NodeStage.open(1);
    const [first] = stage.nodes;
    const database = `SIGNALBOX_DATABASE=${stage.database}`;
    const wrong = runUp(['env', database, ...UP, '--node-address', 'ftp://x'], temporaryFolder());
    expect((await wrong.exited)[0]).toBe(1);
    expect(wrong.errors()).toContain('"ftp://x" is not where a node can be');
    rmSync(join(first?.home ?? '', 'hub.json'));
    const twice = runUp(['env', database, ...UP], first?.home ?? '');
    expect((await twice.exited)[0]).toBe(1);
    expect(twice.errors()).toContain(`Process ${first?.pid} runs a node`);
  });
});
