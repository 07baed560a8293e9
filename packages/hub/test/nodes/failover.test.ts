import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { HubProcess } from '@signalbox/testing/hub/hub-process';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, until } from '@signalbox/testing/hub/test-parts';
import { HAS_POSTGRES } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { readPeers } from '../../src/bridge/peers.ts';
import { TestViewer } from '../live/test-viewer.ts';
import { NodeStage } from './node-stage.ts';

const CHATTY_AGENT = builtProgram('packages/hub/test/chaos/chatty-agent.ts');
const LINES = 40;

const ask = (node: HubProcess, method: string, path: string, body?: object) =>
  call(node.url, node.token, method, path, body);

/** A session with an agent that this node has launched, in a turn of many lines and one question. */
async function launched(node: HubProcess): Promise<void> {
  const folder = join(node.home, 'work');
  mkdirSync(folder);
  const launch = { agent: 'custom', command: [process.execPath, CHATTY_AGENT], folder };
  const made = await ask(node, 'POST', '/api/sessions', { id: 's', launch });
  expect(made.status).toBe(201);
  const content = JSON.stringify({ lines: LINES, asks: 1, paceMs: 30 });
  await ask(node, 'POST', '/api/sessions/s/prompts', { clientId: 'first', content });
}

/** The bridge that runs in a home, and its agent. */
function bridgeIn(home: string): number[] | undefined {
  const [folder] = readdirSync(join(home, 'bridges'));
  const { pid, agentPid } = JSON.parse(
    readFileSync(join(home, 'bridges', folder ?? '', 'meta.json'), 'utf8'),
  );
  return typeof agentPid === 'number' ? [pid, agentPid] : undefined;
}

/** What its agent has said in its turns: numbered, so that nothing is missed and nothing comes twice. */
function numbersIn(viewers: readonly TestViewer[]): number[] {
  return viewers.flatMap(({ entries }) => entries.flatMap(({ message }) => message.n ?? []));
}

describe.runIf(HAS_POSTGRES)('a node that leads and goes', () => {
  it('[NO3040][NO3041] killed in mid-turn: agent and viewer go on with the next one, nothing is lost or doubled; what needs the machine is refused by name', async () => {
    const stage = await NodeStage.open(2);
    const [first, second] = stage.nodes;
    if (!first || !second) throw new Error('no nodes');
    await launched(first);
    const before = await TestViewer.connect(first.url, first.token);
    await before.ask({ type: 'subscribe', session: 's' });
    await until(() => numbersIn([before]).length > LINES / 4);
    await first.kill();
    const seen = before.cursor;
    await until(async () => (await ask(second, 'GET', '/api/sessions/s')).status === 200);
    const after = await TestViewer.connect(second.url, second.token);
    await after.ask({ type: 'subscribe', session: 's', cursor: seen });
    const { requestId } = await until(
      async () => (await ask(second, 'GET', '/api/permissions')).body.items[0],
    );
    const answer = { behavior: 'allow' };
    const told = await ask(second, 'POST', `/api/sessions/s/permissions/${requestId}/answer`, answer);
    expect(told.body.isFirst).toBe(true);
    await until(() => after.entries.some(({ message }) => message.type === 'result'));
    expect(after.told.some(({ type }) => type === 'reset')).toBe(false);
    // A start, its lines and its result.
    expect(numbersIn([before, after])).toEqual(Array.from({ length: LINES + 2 }, (_, at) => at + 1));
    for (const [method, path, body] of [
      ['POST', 'restart', {}],
      ['POST', 'terminals', { cols: 80, rows: 24 }],
      ['GET', 'changes', undefined],
    ] as const) {
      const refused = await ask(second, method, `/api/sessions/s/${path}`, body);
      expect([path, refused.status, refused.body.code]).toEqual([path, 409, 'LAUNCH_ELSEWHERE']);
    }
    // Back again, it follows; and the agent of its machine is ended by the one that leads.
    const again = await stage.start(first.home);
    expect(again.output()).toContain('follows it');
    expect((await ask(again, 'POST', '/api/sessions/s/stop')).body.state).toBe('exited');
  });

  it('[NO3890] killed as soon as the only other one has come: its agents go on with that one', async () => {
    const stage = await NodeStage.open(1);
    const [first] = stage.nodes;
    if (!first) throw new Error('no node');
    await launched(first);
    await until(() => bridgeIn(first.home));
    const second = await stage.start();
    expect(readPeers(first.home)).toHaveLength(1);
    await first.kill();
    const { requestId } = await until(
      async () => (await ask(second, 'GET', '/api/permissions')).body.items?.[0],
    );
    await ask(second, 'POST', `/api/sessions/s/permissions/${requestId}/answer`, { behavior: 'allow' });
    await until(async () => (await ask(second, 'GET', '/api/sessions/s')).body.state === 'idle');
    expect((await ask(second, 'POST', '/api/sessions/s/stop')).body.state).toBe('exited');
  });

  it('[NO3042] told to end, it gives the lead back: the next one has it before the lease ends, and goes on with its agents', async () => {
    const stage = await NodeStage.open(2);
    const [first, second] = stage.nodes;
    if (!first || !second) throw new Error('no nodes');
    await launched(first);
    await until(async () => (await ask(second, 'GET', '/api/sessions/s')).body.state === 'active');
    first.tell('SIGTERM');
    expect((await first.exited).code).toBe(0);
    await until(async () => (await stage.leader()) === second);
    const { requestId } = await until(
      async () => (await ask(second, 'GET', '/api/permissions')).body.items[0],
    );
    await ask(second, 'POST', `/api/sessions/s/permissions/${requestId}/answer`, { behavior: 'allow' });
    await until(async () => (await ask(second, 'GET', '/api/sessions/s')).body.state === 'idle');
    expect((await ask(second, 'POST', '/api/sessions/s/stop')).body.state).toBe('exited');
  });

  it('[NO3790] what comes to a follower while nobody leads waits, and is answered by it once it leads: requests, also with a body, and sockets', async () => {
    const stage = await NodeStage.open(2);
    const [first, second] = stage.nodes;
    if (!first || !second) throw new Error('no nodes');
    await first.kill();
    const prompt = { clientId: 'p', content: 'go' };
    const [listed, made, viewer, agent] = await Promise.all([
      ask(second, 'GET', '/api/permissions'),
      ask(second, 'POST', '/api/sessions', { id: 's' }),
      TestViewer.connect(second.url, second.token),
      TestAgent.dial(`${second.url}/ws/t`, second.token),
    ]);
    expect([listed.status, listed.body.items, made.status]).toEqual([200, [], 201]);
    await viewer.ask({ type: 'subscribe', session: 't' });
    await ask(second, 'POST', '/api/sessions/t/prompts', prompt);
    await agent.hears(({ type }) => type === 'user');
  });

  it('[NO3800] with its machine gone, what was said by an agent can be read, and what needs the machine is refused with its name', async () => {
    const stage = await NodeStage.open(2);
    const [first, second] = stage.nodes;
    if (!first || !second) throw new Error('no nodes');
    await launched(first);
    const pids = await until(() => bridgeIn(first.home));
    await first.kill();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await until(async () => (await ask(second, 'GET', '/api/sessions/s')).body.state === 'disconnected');
    for (const act of ['stop', 'restart']) {
      const { status, body } = await ask(second, 'POST', `/api/sessions/s/${act}`, {});
      expect([act, status, body.code]).toEqual([act, 409, 'LAUNCH_ELSEWHERE']);
      expect(body.detail).toContain(`runs on another machine, ${hostname()},`);
    }
    expect((await ask(second, 'GET', '/api/sessions/s/events')).body.entries.length).toBeGreaterThan(0);
  });
});
