import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '@signalbox/testing/free-port';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HostGuard } from '../../src/auth/host-guard.ts';
import type { Peer } from '../../src/bridge/peers.ts';
import { Forwarder } from '../../src/nodes/forwarder.ts';

const SECRET = 'of all nodes';

async function serve(listener: RequestListener): Promise<Peer> {
  const port = await freePort();
  const server = createServer(listener).listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${port}`, certificate: null };
}

function follower(
  leader: () => Peer | undefined,
  onForwarder: (forwarder: Forwarder) => void = () => {},
): Promise<Peer> {
  const own = { answerAgain: nobody, upgradeAgain: nobody };
  const forwarder = new Forwarder({
    leader,
    secret: SECRET,
    proof: { node: 'follower', key: SECRET },
    guard: new HostGuard([]),
    isProxied: false,
    own,
  });
  onForwarder(forwarder);
  return serve((request, response) => void forwarder.onRequest(request, response));
}

function nobody(): never {
  throw new Error('this node never leads');
}

describe('a follower', () => {
  it('[NO3034] asks the next leader when the node that it asked has just lost the lead', async () => {
    const next = await serve((request, response) => response.end(`next leader: ${request.url}`));
    const former = await follower(() => next);
    const warnings: Error[] = [];
    const note = (warning: Error): void => {
      if (warning.name === 'MaxListenersExceededWarning') warnings.push(warning);
    };
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const believed = Array.from({ length: 12 }, () => former);
    const { address } = await follower(() => believed.pop() ?? next);
    const answer = await fetch(`${address}/api/sessions`);
    expect([answer.status, await answer.text()]).toEqual([200, 'next leader: /api/sessions']);
    expect(warnings).toEqual([]);
  });

  it('[NO3034] says so of a request whose body is gone, in words that a client understands', async () => {
    const next = await serve((_, response) => response.end('done'));
    const former = await follower(() => next);
    const { address } = await follower(() => former);
    const answer = await fetch(`${address}/api/sessions`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('x-signalbox-not-leading')).toBe(null);
    expect(await answer.json()).toMatchObject({ code: 'NO_LEADER' });
  });

  it('[NO3791] asks again what only asks, when the node that it asked is lost; of anything else it says that it does not know', async () => {
    const next = await serve((request, response) => response.end(`next leader: ${request.method}`));
    const lost = await serve((request) => void request.socket.destroy());
    const ask = async (method: string): Promise<unknown[]> => {
      const believed = [lost];
      const { address } = await follower(() => believed.pop() ?? next);
      const answer = await fetch(`${address}/api/sessions`, { method });
      return [answer.status, /next.*|[A-Z_]+_LOST/.exec(await answer.text())?.[0]];
    };
    expect(await ask('GET')).toEqual([200, 'next leader: GET']);
    expect(await ask('DELETE')).toEqual([502, 'LEADER_LOST']);
  });

  it('[NO3700] gives the answer to a body that the leader does not want, and takes the rest of it', async () => {
    const leader = await serve((_, response) => response.writeHead(401).end('who are you?'));
    const { address } = await follower(() => leader);
    for (let round = 0; round < 10; round += 1) {
      const asking = send(`${address}/api/devices`, { method: 'POST' });
      const answered = once(asking, 'response');
      asking.end(Buffer.alloc(8 * 1024 * 1024, 'x'));
      await once(asking, 'finish');
      const answer: IncomingMessage = (await answered)[0];
      expect([answer.statusCode, await text(answer)]).toEqual([401, 'who are you?']);
    }
  });

  it('[NO3701] says whose a request is before all that came with it, of which a leader may read only a part', async () => {
    const heard: IncomingMessage[] = [];
    const leader = await serve((request, response) => {
      heard.push(request);
      response.end();
    });
    const { address } = await follower(() => leader);
    const many = Array.from({ length: 1990 }, () => ['a', '']).flat();
    const asking = send(`${address}/api/sessions`, { headers: ['host', 'localhost', ...many] }).end();
    const answer: IncomingMessage = (await once(asking, 'response'))[0];
    expect(answer.statusCode).toBe(200);
    expect(heard[0]?.headers).toMatchObject({ host: 'localhost', 'x-signalbox-node': SECRET });
  });

  it('[NO3897] asks over a connection that it has used before, and again over a new one where that is lost; what may not be asked twice has its own', async () => {
    const seen: { connection: number; method: string | undefined }[] = [];
    const connections: Socket[] = [];
    const leader = await serve((request, response) => {
      if (!connections.includes(request.socket)) connections.push(request.socket);
      const connection = connections.indexOf(request.socket);
      seen.push({ connection, method: request.method });
      if (request.url === '/lost' && connection === 0) request.socket.destroy();
      else response.end(request.url);
    });
    const { address } = await follower(() => leader);
    const ask = async (path: string, method = 'GET') => (await fetch(`${address}${path}`, { method })).text();
    expect([await ask('/one'), await ask('/two')]).toEqual(['/one', '/two']);
    expect(await ask('/three', 'POST')).toBe('/three');
    expect(await ask('/lost')).toBe('/lost');
    const of = (wanted: string) =>
      seen.flatMap(({ connection, method }) => (method === wanted ? connection : []));
    expect(of('GET').slice(0, 3)).toEqual([0, 0, 0]);
    expect(of('GET').at(-1)).not.toBe(0);
    expect(of('POST')).toEqual([1]);
  });

  it('[NO3898] waits no longer for a node that hangs before it has proven itself, once another one leads', async () => {
    // Of the limits on such a wait none is reached.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const next = await serve((request, response) => response.end(`next leader: ${request.method}`));
    let onAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const hung = await serve(() => onAsked());
    let leader: Peer = { ...hung, proof: { node: 'hung', key: SECRET } };
    let forwarder: Forwarder | undefined;
    const { address } = await follower(
      () => leader,
      (made) => {
        forwarder = made;
      },
    );
    const asking = send(`${address}/api/sessions`, { method: 'DELETE' }).end();
    const answered = once(asking, 'response');
    await asked;
    leader = next;
    forwarder?.leave();
    const answer: IncomingMessage = (await answered)[0];
    expect(await text(answer)).toBe('next leader: DELETE');
  });
});
