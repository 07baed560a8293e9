import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { bearerFromProtocols, SEND_LIMIT_BYTES } from '../../src/browser/index.ts';
import { lineServer, watchedClient } from './line-server.ts';

const LIMIT_BYTES = 15_000;

function said(uuid: string): object {
  return { type: 'assistant', uuid };
}

describe('the browser client', () => {
  it('[SD130] sends prompts, answers and interrupts as the protocol has them', async () => {
    const server = await lineServer();
    const { client, until } = watchedClient({ wsUrl: server.url });
    expect(client.sendMessage('too early')).toBe(false);
    client.connect();
    await until(() => expect(client.isConnected()).toBe(true));
    expect(client.sendMessage('hello')).toBe(true);
    client.respondToPermissionRequest('r1', { behavior: 'deny', message: 'no' });
    client.sendInterrupt();
    await until(() => expect(server.heard.length).toBe(3));
    expect(server.heard).toEqual([
      {
        type: 'user',
        message: { role: 'user', content: 'hello' },
        parent_tool_use_id: null,
        session_id: '',
      },
      {
        type: 'control_response',
        response: { subtype: 'success', request_id: 'r1', response: { behavior: 'deny', message: 'no' } },
      },
      {
        type: 'control_request',
        request_id: expect.any(String),
        request: { subtype: 'interrupt' },
      },
    ]);
  });

  it('[SD131] hands over every message, whatever its kind, and keeps the protocol to itself', async () => {
    const server = await lineServer();
    const { client, messages, asked, errors, until } = watchedClient({ wsUrl: server.url });
    client.connect();
    await until(() => expect(client.isConnected()).toBe(true));
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' };
    server.say(
      `${JSON.stringify(said('a'))}\n${JSON.stringify({ type: 'never_heard_of', uuid: 'b' })}\n`,
      { type: 'keep_alive' },
      '{ broken',
      { type: 'control_request', request_id: 'r1', request },
      { type: 'control_response', response: { subtype: 'success', request_id: 'x' } },
      { type: 'control_response', response: { subtype: 'error', request_id: 'y', error: 'refused' } },
      said('c'),
    );
    await until(() => expect(messages.length).toBe(3));
    expect(messages.map(({ uuid }) => uuid)).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual([{ request, requestId: 'r1' }]);
    expect(errors.map(({ message }) => message)).toEqual([
      'The agent sent a line that is not JSON: { broken',
      'refused',
    ]);
  });

  it('[SD132] a question that a page cannot answer is refused, not left open', async () => {
    const server = await lineServer();
    const { client, until } = watchedClient({ wsUrl: server.url });
    client.connect();
    await until(() => expect(client.isConnected()).toBe(true));
    server.say({ type: 'control_request', request_id: 'r1', request: { subtype: 'hook_callback' } });
    await until(() => expect(server.heard.length).toBe(1));
    expect(server.heard).toEqual([
      {
        type: 'control_response',
        response: {
          subtype: 'error',
          request_id: 'r1',
          error: 'hook_callback is not supported here',
        },
      },
    ]);
  });

  it('[SD133] a permission request is asked once, also when it is repeated, until it is answered or cancelled', async () => {
    const server = await lineServer();
    const cancelled: string[] = [];
    const { client, asked, until } = watchedClient(
      { wsUrl: server.url },
      { onPermissionCancelled: (id) => cancelled.push(id) },
    );
    client.connect();
    await until(() => expect(client.isConnected()).toBe(true));
    const ask = (request_id: string): object => ({
      type: 'control_request',
      request_id,
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' },
    });
    server.say(ask('r1'), ask('r1'), ask('r2'));
    await until(() => expect(asked.map(({ requestId }) => requestId)).toEqual(['r1', 'r2']));
    client.respondToPermissionRequest('r1', { behavior: 'allow' });
    const cancel = { type: 'control_cancel_request' };
    server.say({ ...cancel, request_id: 'r1' }, { ...cancel, request_id: 'r2' }, ask('r3'));
    await until(() => expect(asked.length).toBe(3));
    expect(cancelled).toEqual(['r2']);
  });

  it('[SD134] comes back after a break, and tells nothing twice that it told before', async () => {
    const server = await lineServer();
    const { client, log, messages, until } = watchedClient({ wsUrl: server.url });
    client.connect();
    await until(() => expect(client.isConnected()).toBe(true));
    server.say(said('a'), said('a'), said('b'));
    await until(() => expect(messages.length).toBe(3));
    server.drop();
    await until(() => expect(log).toEqual(['connected', 'disconnected', 'connected']));
    server.say(said('b'), said('c'));
    await until(() => expect(messages.at(-1)?.uuid).toBe('c'));
    expect(messages.map(({ uuid }) => uuid)).toEqual(['a', 'a', 'b', 'c']);
  });

  it('[SD135] stays away when it was sent away, or has tried often enough', async () => {
    const server = await lineServer();
    const { client, errors, until } = watchedClient({ wsUrl: server.url, reconnect: { attempts: 1 } });
    client.connect();
    await until(() => expect(client.isConnected()).toBe(true));
    server.drop(4001);
    await until(() => expect(errors).toMatchObject([{ code: 'CONNECTION_ENDED', closeCode: 4001 }]));
    await server.close();
    client.connect();
    await until(() => expect(errors).toMatchObject([{ closeCode: 4001 }, { code: 'CONNECTION_ENDED' }]));
    expect(server.requests.length).toBe(1);
  });

  it('[SD136] leaves when it is told to, also between two attempts, and can begin anew', async () => {
    const server = await lineServer();
    const reconnect = { baseDelayMs: 600_000, maxDelayMs: 600_000 };
    const { client, log, until } = watchedClient({ wsUrl: server.url, reconnect });
    client.connect();
    await until(() => expect(client.isConnected()).toBe(true));
    client.disconnect();
    expect(client.isConnected()).toBe(false);
    expect(client.sendMessage('gone')).toBe(false);
    client.connect();
    await until(() => expect(log).toEqual(['connected', 'disconnected', 'connected']));
    server.drop();
    await until(() => expect(client.isConnected()).toBe(false));
    client.disconnect();
    client.connect();
    await until(() => expect(client.isConnected()).toBe(true));
    expect(server.requests.length).toBe(3);
  });

  it('[SD137] brings its token as a subprotocol, whatever characters it has', async () => {
    const server = await lineServer();
    const token = 'schlüssel/+=?~'.repeat(9);
    const { client, until } = watchedClient({ wsUrl: server.url, authToken: token });
    client.connect();
    await until(() => expect(client.isConnected()).toBe(true));
    const [request] = server.requests;
    expect(request?.url).toBe('/');
    expect(bearerFromProtocols(request?.headers['sec-websocket-protocol'])).toBe(token);
    expect(bearerFromProtocols(undefined)).toBeUndefined();
    expect(bearerFromProtocols('signalbox, bearer.%%%')).toBeUndefined();
  });

  it('[SD138] refuses to send when too much waits', async () => {
    class FullSocket extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols);
        Object.defineProperty(this, 'bufferedAmount', { value: SEND_LIMIT_BYTES + 1 });
      }
    }
    const server = await lineServer();
    const { client, until } = watchedClient({ wsUrl: server.url, WebSocket: FullSocket });
    client.connect();
    await until(() => expect(client.isConnected()).toBe(true));
    expect(client.sendMessage('one more')).toBe(false);
  });

  it('[SD139] takes no more than 15 kB, minified and compressed', async () => {
    const { outputFiles } = await build({
      entryPoints: [new URL('../../src/browser/index.ts', import.meta.url).pathname],
      bundle: true,
      minify: true,
      write: false,
      platform: 'browser',
      format: 'esm',
    });
    const [bundle] = outputFiles;
    expect(bundle?.text).toContain('can_use_tool');
    expect(gzipSync(bundle?.contents ?? '').byteLength).toBeLessThan(LIMIT_BYTES);
  });
});
