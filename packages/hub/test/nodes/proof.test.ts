import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { freePort } from '@signalbox/testing/free-port';
import type { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { HAS_POSTGRES, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assertIsPeer, proofKeyOf } from '../../src/bridge/peer-proof.ts';
import { connectToPeer } from '../../src/bridge/peer-socket.ts';
import { readPeers } from '../../src/bridge/peers.ts';
import { showProof } from '../../src/nodes/show-proof.ts';
import { NodeStage } from './node-stage.ts';

const KEY = proofKeyOf('of all nodes');

/** A node that others reach by http. */
async function started(stage: NodeStage): Promise<HubProcess> {
  const port = await freePort();
  return stage.start(temporaryFolder(), port, { SIGNALBOX_NODE_ADDRESS: `http://127.0.0.1:${port}` });
}

/** Somebody who listens on a port, and what was said to it. */
async function stranger(
  port: number,
  answer: RequestListener,
): Promise<{ heard: IncomingMessage[]; port: number }> {
  const heard: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    heard.push(request);
    answer(request, response);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return { heard, port: (server.address() as AddressInfo).port };
}

describe('a node proves that it is itself', () => {
  it('[NO3894] to whoever dials it by http: who has another name, or does not know what nodes know, is nobody to them', async () => {
    const own = { node: 'a', key: KEY };
    const { port } = await stranger(0, (request, response) => {
      if (!showProof(request, response, own)) response.end('what was asked');
    });
    const dial = async (proof: typeof own): Promise<unknown> => {
      const socket = await connectToPeer({
        address: `http://127.0.0.1:${port}`,
        certificate: null,
        proof,
      }).catch((error: Error) => error);
      if (socket instanceof Error) return socket.message;
      const asked = send({ path: '/', createConnection: () => socket }).end();
      const [answer] = await once(asked, 'response');
      return (await answer.setEncoding('utf8').toArray()).join('');
    };
    expect(await dial(own)).toBe('what was asked');
    expect(await dial({ ...own, node: 'b' })).toBe('it is not the node b');
    expect(await dial({ ...own, key: proofKeyOf('guessed') })).toBe('it is not the node a');
  });

  it('[NO3894] and one that says too much, or nothing, is not waited for', async () => {
    const { port } = await stranger(0, (_, response) => {
      response.writeHead(200, { 'x-signalbox-proof': '0'.repeat(64), filler: 'x'.repeat(8000) }).end();
    });
    const socket = connect(port, '127.0.0.1');
    await expect(assertIsPeer(socket, { node: 'a', key: KEY })).rejects.toThrow('it says too much');
    const closing = await stranger(0, (request) => void request.socket.destroy());
    await expect(assertIsPeer(connect(closing.port, '127.0.0.1'), { node: 'a', key: KEY })).rejects.toThrow();
  });
});

describe.runIf(HAS_POSTGRES)('the port of a leader that was killed', () => {
  it('[NO3895] is of nobody: a follower sends whoever has taken it no token, nor anything else that was asked', async () => {
    const stage = await NodeStage.open(0);
    const [leader, follower] = [await started(stage), await started(stage)];
    expect((await call(follower.url, follower.token, 'GET', '/api/me')).status).toBe(200);
    expect(readPeers(leader.home)).toMatchObject([{ proof: { key: expect.any(String) } }]);
    const port = Number(new URL(leader.url).port);
    await leader.kill();
    const { heard } = await stranger(port, (_, response) => response.end('{}'));
    const answered = await call(follower.url, follower.token, 'GET', '/api/permissions');
    expect([answered.status, answered.body.items]).toEqual([200, []]);
    expect(heard.filter(({ url }) => url !== '/node-proof')).toEqual([]);
    expect(heard.filter(({ headers }) => headers.authorization ?? headers['x-signalbox-node'])).toEqual([]);
  });

  it('[NO3896] may be of an earlier version, which says of no node that it proves itself: it is followed all the same', async () => {
    const stage = await NodeStage.open(0);
    const [, follower] = [await started(stage), await started(stage)];
    const { port } = await stranger(0, ({ url }, response) => {
      response.writeHead(url === '/node-proof' ? 404 : 200).end('an earlier version');
    });
    const cluster = await sharedCluster();
    const change = (what: string) =>
      cluster.query(
        stage.database,
        `UPDATE signalbox.node SET ${what} WHERE id = (SELECT node FROM signalbox.lead)`,
      );
    const ready = () => call(follower.url, follower.token, 'GET', '/readyz');
    await change(`address = 'http://127.0.0.1:${port}'`);
    await until(async () => (await ready()).body.detail?.includes('it is not the node'));
    // It was started again since it could prove itself.
    await change('started_at = clock_timestamp()');
    await until(async () => (await ready()).body === 'an earlier version');
  });
});
