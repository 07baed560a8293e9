import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@signalbox/protocol';
import { call, startTestHub, type TestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { DeviceQuotas } from '../../src/auth/device-quotas.ts';
import { begin, longSession, unread } from './slow-clients.ts';

/** A hub with one long session, a token that uses up all that it may, and one that does not. */
async function stage(): Promise<TestHub & { greedy: string; other: string }> {
  const parts = await startTestHub();
  const { store } = parts;
  await longSession(store, 's');
  return { ...parts, greedy: await tokenFor(store), other: await tokenFor(store) };
}

describe('what one device holds', () => {
  it('[HB550] is counted for itself, and given back once', () => {
    const quotas = new DeviceQuotas();
    const held = Array.from({ length: LIMITS.deviceDownloads.most }, () => quotas.take('a', 'downloads'));
    expect(() => quotas.take('a', 'downloads')).toThrow(expect.objectContaining({ code: 'DEVICE_LIMIT' }));
    quotas.take('a', 'requests');
    quotas.take('b', 'downloads');
    held[0]?.();
    held[0]?.();
    quotas.take('a', 'downloads');
    expect(() => quotas.take('a', 'downloads')).toThrow(expect.objectContaining({ code: 'DEVICE_LIMIT' }));
  });

  it('[HB550] connections that watch: one more is refused, others come in, and one that leaves makes room', async () => {
    const { hub, greedy, other } = await stage();
    const dial = (token: string, path = '/api/stream') => {
      const headers = { authorization: `Bearer ${token}` };
      const socket = new WebSocket(`${hub.url.replace('http', 'ws')}${path}`, { headers });
      onTestFinished(() => socket.terminate());
      return socket;
    };
    const refused = async (path: string) => {
      const socket = dial(greedy, path);
      socket.on('error', () => {});
      const response: IncomingMessage = (await once(socket, 'unexpected-response'))[1];
      return [response.statusCode, response.headers['x-signalbox-error']];
    };
    const held = Array.from({ length: LIMITS.deviceViewers.most }, () => dial(greedy));
    await Promise.all(held.map((socket) => once(socket, 'open')));
    expect(await refused('/api/stream')).toEqual([429, 'DEVICE_LIMIT']);
    expect(await refused('/api/sessions/s/wire')).toEqual([429, 'DEVICE_LIMIT']);
    await once(dial(other), 'open');
    // An agent with the same token is counted for itself.
    await once(dial(greedy, '/ws/mine'), 'open');
    held[0]?.close();
    await until(async () => {
      const socket = dial(greedy);
      socket.on('error', () => {});
      return Promise.race([
        once(socket, 'open').then(() => true),
        once(socket, 'unexpected-response').then(() => false),
      ]);
    });
  });

  it('[HB551] requests that are not answered: one more is refused, and others go on', async () => {
    const { hub, greedy, other } = await stage();
    const begun = Array.from({ length: LIMITS.deviceRequests.most }, () =>
      begin(hub.url, greedy, '/api/sessions/s/prompts'),
    );
    const me = (token: string) => call(hub.url, token, 'GET', '/api/me');
    const { body } = await until(async () => {
      const answer = await me(greedy);
      return answer.status === 429 ? answer : undefined;
    });
    expect(body).toMatchObject({ code: 'DEVICE_LIMIT', status: 429 });
    expect((await me(other)).status).toBe(200);
    begun[0]?.destroy();
    await until(async () => (await me(greedy)).status === 200);
  });

  it('[HB552] answers that it does not read: one more is refused, and others read theirs', async () => {
    const { hub, greedy, other } = await stage();
    const exported = '/api/sessions/s/export';
    const transcript = '/api/sessions/s/transcript';
    const events = '/api/sessions/s/events';
    const held = [exported, transcript, events, events];
    expect(held).toHaveLength(LIMITS.deviceDownloads.most);
    const answers = await Promise.all(held.map((path) => unread(hub.url, greedy, path)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    for (const path of [exported, transcript, events]) {
      const { status, body } = await call(hub.url, greedy, 'GET', path);
      expect([status, body.code]).toEqual([429, 'DEVICE_LIMIT']);
      expect((await unread(hub.url, other, path)).statusCode).toBe(200);
    }
    expect((await call(hub.url, greedy, 'GET', '/api/me')).status).toBe(200);
    answers[2]?.destroy();
    await until(async () => (await unread(hub.url, greedy, transcript)).statusCode === 200);
  });
});
