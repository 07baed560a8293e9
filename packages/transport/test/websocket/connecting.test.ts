import { createServer } from 'node:net';
import { listenOnLoopback } from '@signalbox/testing/loopback';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TransportState } from '../../src/transport.ts';
import { readToEnd, rejectionOf } from '../conversation.ts';
import { client, comeBack, dialBare, QUICK, startBare } from './scene.ts';

const SECRET = 'sk-very-secret';

describe('connecting', () => {
  it('[WS1] states follow one another from idle to closed', async () => {
    const server = await startBare();
    const transport = client(server.url);
    const states: TransportState[] = [transport.state];
    transport.onStateChange((state) => states.push(state));
    await transport.connect();
    await comeBack(server, transport);
    await transport.close();
    expect(states).toEqual([
      'idle',
      'connecting',
      'connected',
      'reconnecting',
      'connected',
      'closing',
      'closed',
    ]);
  });

  it('[WS1] connecting twice is connecting once', async () => {
    const server = await startBare();
    const transport = client(server.url);
    await Promise.all([transport.connect(), transport.connect()]);
    await transport.connect();
    expect(server.requests).toHaveLength(1);
  });

  it('[WS3] by default it gives up after one attempt and three more', async () => {
    const { url, requests } = await refuseWith(503);
    const transport = client(url, { reconnect: { baseDelayMs: 1 } });
    expect(await rejectionOf(transport.connect())).toMatchObject({
      code: 'CONNECTION_LOST',
      message: `Cannot connect to ${url.href}: the server answered 503.`,
    });
    expect(requests()).toBe(4);
    expect(transport.state).toBe('closed');
  });

  it('[WS26] why each attempt failed is told, also when another follows', async () => {
    const { url, requests } = await refuseWith(503);
    const failures: (number | undefined)[] = [];
    const transport = client(url, {
      reconnect: { attempts: 2, baseDelayMs: 1 },
      onFailure: ({ status }) => failures.push(status),
    });
    const last = await rejectionOf(transport.connect());
    expect(failures).toEqual([503, 503, 503]);
    expect(requests()).toBe(3);
    expect(last).toMatchObject({ code: 'CONNECTION_LOST', status: 503 });
  });

  it('[WS3] a connection that opens starts the count anew', async () => {
    const server = await startBare();
    const transport = client(server.url, { reconnect: { attempts: 1, baseDelayMs: 1 } });
    await transport.connect();
    for (let drops = 0; drops < 5; drops += 1) {
      await comeBack(server, transport);
    }
    await server.stop();
    expect(await rejectionOf(readToEnd(transport))).toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('[WS3] with Infinity it never gives up', async () => {
    const { url, requests, allow } = await refuseWith(503);
    const transport = client(url, { reconnect: QUICK });
    const connecting = transport.connect();
    while (requests() < 20) await new Promise(setImmediate);
    allow();
    await connecting;
    expect(transport.state).toBe('connected');
  });

  it.each([1002, 1003, 1007, 1008, 1009, 1010, 4001])(
    '[WS4] %i ends it at once, with the reason',
    async (code) => {
      const { server, transport } = await dialBare();
      (await server.accepted()).socket.close(code, 'no thanks');
      expect(await rejectionOf(readToEnd(transport))).toMatchObject({
        code: 'CONNECTION_LOST',
        message: `The connection to ${server.url.href} was closed: ${code} no thanks.`,
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('[WS4] 1000 ends it cleanly', async () => {
    const { server, transport } = await dialBare();
    const { socket } = await server.accepted();
    socket.send('1\n');
    socket.close(1000);
    expect(await readToEnd(transport)).toEqual(['1']);
    expect(transport.state).toBe('closed');
    expect(server.requests).toHaveLength(1);
  });

  it.each([1001, 1011, 1012, 1013, 3000])('[WS4] after %i it comes back', async (code) => {
    const { server, transport } = await dialBare();
    (await server.accepted()).socket.close(code);
    await server.accepted();
    expect(transport.state).not.toBe('closed');
  });

  it.each([401, 403, 404, 410])('[WS5] the answer %i ends it at once', async (status) => {
    const { url, requests } = await refuseWith(status);
    const transport = client(url);
    expect(await rejectionOf(transport.connect())).toMatchObject({
      code: 'CONNECTION_LOST',
      message: `Cannot connect to ${url.href}: the server answered ${status}.`,
    });
    expect(requests()).toBe(1);
  });

  it('[WS6] messages tell neither token, password nor query', async () => {
    const { url } = await refuseWith(401);
    const secretive = new URL(`${url.href.replace('//', `//user:${SECRET}@`)}path?token=${SECRET}`);
    const env = { CLAUDE_CODE_SESSION_ACCESS_TOKEN: SECRET };
    const refused = await rejectionOf(client(secretive, { env }).connect());
    const unsendable = await rejectionOf(
      client(url, { env: { CLAUDE_CODE_SESSION_ACCESS_TOKEN: `${SECRET}\n` } }).connect(),
    );
    secretive.port = '1';
    const unreachable = await rejectionOf(client(secretive, { env, reconnect: { attempts: 0 } }).connect());
    for (const error of [refused, unsendable, unreachable]) {
      expect(error).toMatchObject({ code: 'CONNECTION_LOST', cause: expect.any(Error) });
      expect(everythingIn(error)).not.toContain(SECRET);
    }
  });

  it('[WS6] a host that refuses at all of its addresses is named with the reasons', async () => {
    const transport = client(new URL('ws://localhost:1/'), { reconnect: { attempts: 0 } });
    expect(await rejectionOf(transport.connect())).toMatchObject({
      message: expect.stringMatching(/^Cannot connect to ws:\/\/localhost:1\/: .*ECONNREFUSED/),
    });
  });

  it('[WS22] what cannot be dialled is not tried again', async () => {
    const server = await startBare();
    for (const transport of [
      client(server.url, { headers: { 'x-broken': 'a\nb' } }),
      client(new URL('#fragment', server.url)),
    ]) {
      expect(await rejectionOf(transport.connect())).toMatchObject({ code: 'CONNECTION_LOST' });
      expect(transport.state).toBe('closed');
    }
    expect(server.requests).toEqual([]);
  });

  it('[WS23] a server that never answers the upgrade is given up', async () => {
    const silent = createServer();
    const port = await listenOnLoopback(silent);
    onTestFinished(() => void silent.close());
    const transport = client(new URL(`ws://127.0.0.1:${port}`), {
      handshakeTimeoutMs: 20,
      reconnect: { attempts: 1, baseDelayMs: 1 },
    });
    expect(await rejectionOf(transport.connect())).toMatchObject({
      code: 'CONNECTION_LOST',
      message: expect.stringContaining('timed out'),
    });
  });
});

/** A server that answers every upgrade request like this, until it is told to let them pass. */
async function refuseWith(status: number): Promise<{ url: URL; requests: () => number; allow: () => void }> {
  let isAllowed = false;
  const server = await startBare({ verifyClient: (_info, done) => done(isAllowed, status) });
  return {
    url: server.url,
    requests: () => server.requests.length,
    allow: () => {
      isAllowed = true;
    },
  };
}

/** All text of an error, its causes included. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack} ${JSON.stringify(error)} ${everythingIn(error.cause)}`;
}
