import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HubProcess } from '@signalbox/testing/hub/hub-process';
import { endTerminals, SeenTerminal } from '@signalbox/testing/hub/terminal-stage';
import { assistant, TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, dialAgent, startModel, until } from '@signalbox/testing/hub/test-parts';
import { HAS_POSTGRES } from '@signalbox/testing/postgres-cluster';
import { connect } from 'signalbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';
import { TestFrontend } from '../relay/test-frontend.ts';
import { NodeStage } from './node-stage.ts';

const HYBRID = { CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2: '1' };
const SOON = { attempts: 200, baseDelayMs: 20, maxDelayMs: 100 };

const ask = (node: HubProcess, method: string, path: string, body?: object, token = node.token) =>
  call(node.url, token, method, path, body);

/** One that leads, and one that follows. */
async function twoNodes(): Promise<{ stage: NodeStage; leader: HubProcess; follower: HubProcess }> {
  const stage = await NodeStage.open(2);
  const [leader, follower] = stage.nodes;
  if (!leader || !follower) throw new Error('no nodes');
  return { stage, leader, follower };
}

describe.runIf(HAS_POSTGRES)('the doors of a node that follows', () => {
  it('[NO3794] lead to terminals on the machine of the node that leads: what is typed arrives, and what is shown comes back', async () => {
    const { leader, follower } = await twoNodes();
    onTestFinished(() => endTerminals(leader.home));
    const folder = join(leader.home, 'work');
    mkdirSync(folder);
    const agent = await TestAgent.dial(`${follower.url}/ws/s`, follower.token);
    const init = { type: 'system', subtype: 'init', session_id: 'a', model: 'm' };
    await agent.say({ ...init, cwd: folder, uuid: crypto.randomUUID() });
    await until(async () => (await ask(follower, 'GET', '/api/sessions/s')).body.folder === folder);
    const started = await ask(follower, 'POST', '/api/sessions/s/terminals', { cols: 80, rows: 24 });
    expect([started.status, started.body.number]).toEqual([201, 1]);
    const at = ({ url, token }: HubProcess) => new SeenTerminal({ url, token, session: 's', number: 1 });
    const [near, far] = [at(leader), at(follower)];
    await near.opened();
    await far.type('echo $((6*7)) in $(basename $PWD)\r');
    await Promise.all([near.shows('42 in work'), far.shows('42 in work')]);
    await far.type('seq 1 20000; echo whole\r');
    await far.shows(/20000\s+whole/);
    await far.type('exit 3\r');
    await until(() => near.exit?.code === 3 && far.exit?.code === 3);
  });

  it('[NO3795] lead to `/wire`, and take an agent that posts what it says; both go on with the next node when the one that leads is killed', async () => {
    const { stage, leader, follower } = await twoNodes();
    const model = await startModel();
    await ask(follower, 'POST', '/api/sessions', { id: 's' });
    dialAgent(`${follower.url.replace('http', 'ws')}/ws/s`, follower.token, model.url, [], HYBRID);
    const query = connect(`${follower.url.replace('http', 'ws')}/api/sessions/s/wire`, follower.token, {
      reconnect: SOON,
    });
    onTestFinished(() => query.close());
    const results: unknown[] = [];
    void (async () => {
      for await (const message of query)
        if (message.type === 'result' && message.subtype === 'success') results.push(message.result);
    })().catch(() => {});
    const prompt = async (clientId: string, content: string): Promise<unknown> =>
      (await ask(follower, 'POST', '/api/sessions/s/prompts', { clientId, content })).status;
    expect(await prompt('one', 'say one')).toBe(201);
    await until(() => results.includes('one'));
    await leader.kill();
    expect(await prompt('two', 'say two')).toBe(201);
    await until(() => results.includes('two'));
    expect(await stage.leader()).toBe(follower);
    expect(results).toEqual(['one', 'two']);
  });

  it('[NO3796] take events that are posted twice, to two nodes, once', async () => {
    const { leader, follower } = await twoNodes();
    await ask(follower, 'POST', '/api/sessions', { id: 's' });
    const body = { events: [assistant('one'), assistant('two')] };
    const posts = [leader, follower, follower].map((node) => ask(node, 'POST', '/session/s/events', body));
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const { entries } = (await ask(follower, 'GET', '/api/sessions/s/events')).body;
    expect(entries).toHaveLength(2);
  });

  it('[NO3797] let nobody in whose token was revoked, and lose at once what it held open, at whichever node that was asked', async () => {
    const { leader, follower } = await twoNodes();
    const agent = await TestAgent.dial(`${follower.url}/ws/s`, follower.token);
    await agent.play('hello');
    for (const asked of [leader, follower]) {
      const grant = { person: 'Ann', name: 'phone', scope: 'admin', session: null };
      const { device, token } = (await ask(follower, 'POST', '/api/devices', grant)).body;
      const [near, far] = await Promise.all(
        [leader, follower].map(({ url }) => TestViewer.connect(url, token)),
      );
      const wire = await TestFrontend.connect(`${follower.url}/api/sessions/s/wire`, { token });
      const own = await TestAgent.dial(`${follower.url}/ws/own`, token);
      expect((await ask(asked, 'DELETE', `/api/devices/${device.id}`)).status).toBe(200);
      await until(() => near?.closed && far?.closed && wire.closed !== undefined);
      await until(() => own.failure);
      for (const node of [leader, follower])
        expect((await ask(node, 'GET', '/api/me', undefined, token)).status).toBe(401);
    }
  });
});
