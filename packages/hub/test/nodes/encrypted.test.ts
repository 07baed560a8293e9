import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@signalbox/testing/free-port';
import { makeCertificate } from '@signalbox/testing/hub/certificate';
import type { HubProcess } from '@signalbox/testing/hub/hub-process';
import { type Answer, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { HAS_POSTGRES, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { TestViewer } from '../live/test-viewer.ts';
import { NodeStage } from './node-stage.ts';

const CHATTY_AGENT = builtProgram('packages/hub/test/chaos/chatty-agent.ts');
const LINES = 60;

/** A node that others reach by https, with a certificate that nobody else vouches for. */
interface SecureNode {
  node: HubProcess;
  ca: string;
}

async function started(stage: NodeStage): Promise<SecureNode> {
  const [home, port] = [temporaryFolder(), await freePort()];
  const { cert, key } = makeCertificate(home);
  const address = `https://127.0.0.1:${port}`;
  const variables = {
    SIGNALBOX_CERT: cert,
    SIGNALBOX_KEY: key,
    SIGNALBOX_NODE_ADDRESS: address,
    // What an address instead of a name is asked with, later versions of Node may refuse.
    NODE_OPTIONS: '--throw-deprecation',
  };
  return { node: await stage.start(home, port, variables), ca: readFileSync(cert, 'utf8') };
}

async function ask(
  { node, ca }: SecureNode,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: Answer['body'] }> {
  const headers = { authorization: `Bearer ${node.token}`, 'content-type': 'application/json' };
  const asked = request(`${node.url}${path}`, { method, ca, headers, agent: false });
  asked.end(body && JSON.stringify(body));
  const [response] = await once(asked, 'response');
  const said = await text(response);
  return { status: response.statusCode, body: said.startsWith('{') ? JSON.parse(said) : said };
}

describe.runIf(HAS_POSTGRES)('nodes that reach each other by https', () => {
  it('[NO3801] know each other by their certificates: requests, viewers, and the bridges of a node that is killed', async () => {
    const stage = await NodeStage.open(0);
    const [leader, follower] = [await started(stage), await started(stage)];
    expect(leader.node.url).toMatch(/^https:/);
    const folder = join(leader.node.home, 'work');
    mkdirSync(folder);
    const launch = { agent: 'custom', command: [process.execPath, CHATTY_AGENT], folder };
    expect((await ask(follower, 'POST', '/api/sessions', { id: 's', launch })).status).toBe(201);
    const viewer = await TestViewer.connect(follower.node.url, follower.node.token, { ca: follower.ca });
    await viewer.ask({ type: 'subscribe', session: 's' });
    const content = JSON.stringify({ lines: LINES, asks: 0, paceMs: 30 });
    await ask(follower, 'POST', '/api/sessions/s/prompts', { clientId: 'first', content });
    await until(() => viewer.entries.length > LINES / 4);
    await leader.node.kill();
    const lines = async (): Promise<unknown[]> => {
      const { entries } = (await ask(follower, 'GET', '/api/sessions/s/events?limit=1000')).body;
      return entries.flatMap(({ message }: Answer['body']) => message?.n ?? []);
    };
    // A start, its lines and its result.
    await until(async () => (await lines()).length >= LINES + 2);
    expect(await lines()).toEqual(Array.from({ length: LINES + 2 }, (_, at) => at + 1));
    expect((await ask(follower, 'GET', '/readyz')).status).toBe(200);
    expect((await ask(follower, 'POST', '/api/sessions/s/stop')).body.state).toBe('exited');
  });

  it('[NO3802] send nothing to one that shows another certificate', async () => {
    const stage = await NodeStage.open(0);
    const [, follower] = [await started(stage), await started(stage)];
    expect((await ask(follower, 'GET', '/api/me')).status).toBe(200);
    const other = readFileSync(makeCertificate(temporaryFolder()).cert, 'utf8');
    await (await sharedCluster()).query(
      stage.database,
      `UPDATE signalbox.node SET certificate = '${other}' WHERE id = (SELECT node FROM signalbox.lead)`,
    );
    const refused = await until(async () => {
      const answer = await ask(follower, 'GET', '/readyz');
      return answer.status === 503 ? answer.body : undefined;
    });
    expect(refused).toMatchObject({ code: 'NO_LEADER', detail: expect.stringContaining('certificate') });
  });
});
