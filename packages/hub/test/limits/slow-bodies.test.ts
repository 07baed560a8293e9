import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { call, startTestHub, tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { begin, longSession, unread } from './slow-clients.ts';

const SOON_MS = 50;
const LATER_MS = 600_000;

/** What a request was answered with whose body never came. */
async function answerTo(begun: ClientRequest): Promise<[number | undefined, string]> {
  const response: IncomingMessage = (await once(begun, 'response'))[0];
  return [response.statusCode, JSON.parse(await text(response)).code];
}

describe('bodies that do not arrive', () => {
  it('[HB553] end with BODY_TOO_SLOW, and nothing is done', async () => {
    const { hub, store, token } = await startTestHub({
      patience: { pauseMs: SOON_MS, signInMs: LATER_MS },
    });
    await store.sessions.create('s');
    const begun = [
      begin(hub.url, token, '/api/sessions/s/prompts'),
      begin(hub.url, token, '/api/sessions/import', 'application/jsonl'),
      begin(hub.url, '', '/api/sign-in'),
    ];
    expect(await Promise.all(begun.map(answerTo))).toEqual(begun.map(() => [408, 'BODY_TOO_SLOW']));
    expect(await answerTo(begin(hub.url, token, '/session/s/events'))).toEqual([408, 'EVENTS_REFUSED']);
    expect(await store.inbox.list('s')).toEqual([]);
    expect((await store.sessions.list({})).items).toHaveLength(1);
  });

  it('[HB553] a sign-in has a time for all of its body, however often a piece of it comes', async () => {
    const { hub } = await startTestHub({ patience: { pauseMs: LATER_MS, signInMs: SOON_MS } });
    expect(await answerTo(begin(hub.url, '', '/api/sign-in'))).toEqual([408, 'BODY_TOO_SLOW']);
  });

  it('[HB554] one that nobody wants holds its connection no longer than it takes to hear the answer', async () => {
    const { hub } = await startTestHub({ patience: { dropMs: SOON_MS } });
    const begun = begin(hub.url, 'wrong', '/api/devices');
    const closed = once(begun, 'close');
    expect(await answerTo(begun)).toEqual([401, 'UNAUTHENTICATED']);
    await closed;
  });
});

describe('a token that is revoked', () => {
  it('[HB555] takes along what it reads and sends, and nobody else’s', async () => {
    const { hub, store, token } = await startTestHub();
    await longSession(store, 's');
    const revoked = await tokenFor(store);
    const { id } = (await call(hub.url, revoked, 'GET', '/api/me')).body;
    const paths = ['export', 'transcript', 'events'].map((what) => `/api/sessions/s/${what}`);
    const reads = await Promise.all(paths.map((path) => unread(hub.url, revoked, path)));
    const others = await Promise.all(paths.map((path) => unread(hub.url, token, path)));
    const sends = [
      begin(hub.url, revoked, '/api/sessions/s/prompts'),
      begin(hub.url, revoked, '/api/sessions/import', 'application/jsonl'),
    ];
    const cut = [...reads, ...sends].map((held) => new Promise((closed) => held.once('close', closed)));
    expect((await call(hub.url, token, 'DELETE', `/api/devices/${id}`)).status).toBe(200);
    for (const response of reads) response.resume();
    await Promise.all(cut);
    expect(reads.map(({ complete }) => complete)).toEqual([false, false, false]);
    const lengths = await Promise.all(others.map(async (response) => (await text(response)).length));
    expect(Math.min(...lengths)).toBeGreaterThan(12_000_000);
    expect(await store.inbox.list('s')).toEqual([]);
  });
});
