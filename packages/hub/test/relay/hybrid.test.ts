import { once } from 'node:events';
import { request } from 'node:http';
import { LIMITS } from '@signalbox/protocol';
import { assistant, delta } from '@signalbox/testing/hub/test-agent';
import {
  call,
  dialAgent,
  startModel,
  startTestHub,
  temporaryFolder,
  tokenFor,
  until,
} from '@signalbox/testing/hub/test-parts';
import { HybridTransport } from '@signalbox/transport';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { cutLine } from './cut-line.ts';

const HYBRID = { CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2: '1' };

function post(
  url: string,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/session/s/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function said(store: Store): Promise<string[]> {
  const { entries } = await store.record.tail('s', 10_000);
  return entries.flatMap((entry) =>
    entry.kind === 'line' && entry.author.by === 'agent' ? [entry.line.text()] : [],
  );
}

describe('the hybrid door', () => {
  it('[HY370] one POST more than are taken at once is refused before its body has come', async () => {
    const { hub, token } = await startTestHub();
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const begin = () => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': 1000,
      };
      const begun = request(`${hub.url}/session/s/events`, { method: 'POST', headers });
      begun.on('error', () => {});
      onTestFinished(() => void begun.destroy());
      begun.flushHeaders();
      return begun;
    };
    const statuses = Array.from({ length: LIMITS.postsAtOnce.most + 1 }, () => once(begin(), 'response'));
    const [response] = await Promise.race(statuses);
    expect(response.statusCode).toBe(429);
  });

  it.each(['variable', 'URL'])(
    '[HY30] an agent that hears over its socket and posts what it says is an agent like any other, with its token in a %s',
    async (place) => {
      const { hub, token } = await startTestHub();
      const model = await startModel();
      const created = await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
      const url = `${hub.url.replace('http', 'ws')}/ws/s`;
      const { token: own } = created.body;
      if (place === 'URL') dialAgent(`${url}?token=${own}`, '', model.url, [], HYBRID);
      else dialAgent(url, own, model.url, [], HYBRID);
      await call(hub.url, token, 'POST', '/api/sessions/s/prompts', {
        clientId: 'p',
        content: 'run touch made',
      });
      const asked = await until(
        async () => (await call(hub.url, token, 'GET', '/api/permissions')).body.items[0],
      );
      await call(hub.url, token, 'POST', `/api/sessions/s/permissions/${asked.requestId}/answer`, {
        behavior: 'allow',
      });
      await until(async () => {
        const { body } = await call(hub.url, token, 'GET', '/api/sessions/s/events');
        return body.entries.find(({ message }: { message: { type: string } }) => message.type === 'result');
      });
    },
  );

  it('[HY31] events are in the record when they are answered, in order, each once however often it comes', async () => {
    const file = `${temporaryFolder()}/hub.db`;
    const store = await openSqliteStore(file);
    const { hub, token } = await startTestHub({ store });
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const events = [assistant('one'), delta('t'), assistant('two')];
    const answer = { type: 'control_response', response: { subtype: 'success', request_id: 'r' } };
    const keyed = { 'idempotency-key': 'k1' };
    expect((await post(hub.url, token, { events })).status).toBe(200);
    const lines = [JSON.stringify(events[0]), JSON.stringify(events[2])];
    expect(await said(store)).toEqual(lines);
    expect((await post(hub.url, token, { events: [answer] }, keyed)).status).toBe(200);
    const repeats = await Promise.all([
      post(hub.url, token, { events }),
      post(hub.url, token, { events: [answer] }, keyed),
    ]);
    expect(repeats.map(({ status }) => status)).toEqual([200, 200]);
    expect(await said(store)).toEqual([...lines, JSON.stringify(answer)]);
    await hub.close();
    // A client that did not hear the answer asks the next hub.
    const next = await startTestHub({ store });
    await post(next.hub.url, token, { events: [...events, assistant('three')] });
    await post(next.hub.url, token, { events: [answer] }, keyed);
    expect((await said(store)).slice(0, 3)).toEqual([...lines, JSON.stringify(answer)]);
    expect(await said(store)).toHaveLength(4);
  });

  it('[HY1562] a token in the address of a POST is none: addresses end up in logs', async () => {
    const { hub, store, token } = await startTestHub();
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const body = JSON.stringify({ events: [assistant('one')] });
    const headers = { 'content-type': 'application/json' };
    const address = `${hub.url}/session/s/events?token=${token}`;
    const refused = await fetch(address, { method: 'POST', headers, body });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: 'UNAUTHENTICATED' });
    const named = { ...headers, authorization: `Bearer ${token}` };
    expect((await fetch(address, { method: 'POST', headers: named, body })).status).toBe(200);
    expect(await said(store)).toHaveLength(1);
  });

  it('[HY780] many events in one POST do not keep others waiting for the store', async () => {
    const { hub, store, token } = await startTestHub();
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const locate = store.record.locate.bind(store.record);
    let [underWay, most] = [0, 0];
    const looks = vi.spyOn(store.record, 'locate').mockImplementation(async (...place) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const found = await locate(...place);
      underWay -= 1;
      return found;
    });
    const events = () => Array.from({ length: 500 }, () => assistant('x'));
    expect((await post(hub.url, token, { events: events() })).status).toBe(200);
    expect(most).toBe(1);
    looks.mockClear();
    expect((await post(hub.url, token, { events: events() })).status).toBe(200);
    expect(looks).toHaveBeenCalledTimes(1);
    expect(await said(store)).toHaveLength(1000);
  });

  it('[HB555] a token that is revoked takes along the events that it is posting', async () => {
    const { hub, store, token } = await startTestHub();
    const { body } = await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const content = JSON.stringify({ events: [assistant('late')] });
    const headers = {
      authorization: `Bearer ${body.token}`,
      'content-type': 'application/json',
      'content-length': content.length,
    };
    const late = request(`${hub.url}/session/s/events`, { method: 'POST', headers });
    const cut = once(late, 'response').then(
      ([response]) => `answered ${response.statusCode}`,
      () => 'cut',
    );
    late.write(content.slice(0, 20));
    const [device] = (await store.devices.list({ kind: 'agent', session: 's' })).items;
    // Seen is who has been let in.
    await until(async () => (await store.devices.get(device?.id ?? ''))?.lastSeenAt);
    await call(hub.url, token, 'DELETE', `/api/devices/${device?.id}`);
    late.end(content.slice(20));
    expect(await cut).toBe('cut');
    expect(await said(store)).toEqual([]);
  });

  it('[HY32] what cannot be taken is a problem that says why', async () => {
    const { hub, store, token } = await startTestHub();
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const events = [assistant('x')];
    expect((await post(hub.url, 'wrong', { events })).status).toBe(401);
    const inUrl = await fetch(`${hub.url}/session/s/events?token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    expect(inUrl.status).toBe(401);
    expect((await post(hub.url, await tokenFor(store, { scope: 'watch' }), { events })).status).toBe(403);
    for (const body of ['{', '{"events":{}}', '[]', '{"events":[,]}', '{"events":[5]}', '{"events":[{}]}']) {
      const malformed = await post(hub.url, token, body);
      expect(malformed.status).toBe(400);
      expect(await malformed.json()).toMatchObject({ code: 'EVENTS_REFUSED', status: 400 });
    }
    const text = await post(hub.url, token, { events }, { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
    const long = await post(hub.url, token, `{"events":["${'x'.repeat(65 * 1024 * 1024)}"]}`);
    expect(long.status).toBe(413);
    expect(await long.json()).toMatchObject({ code: 'BODY_TOO_LONG' });
    const elsewhere = await fetch(`${hub.url}/session/nobody/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    expect(elsewhere.status).toBe(404);
    expect(await said(store)).toEqual([]);
  });

  it('[HY33] whatever is cut, and whenever, every line of a hybrid client arrives once and in order', async () => {
    const { hub, store, token } = await startTestHub();
    const line = await cutLine(() => hub.port);
    const client = new HybridTransport(new URL(`ws://127.0.0.1:${line.port}/ws/s`), {
      env: {},
      ingressToken: token,
      lossless: true,
      reconnect: { attempts: 1000, baseDelayMs: 5, maxDelayMs: 20 },
      postRetry: { attempts: 1000, baseDelayMs: 5, maxDelayMs: 20 },
    });
    onTestFinished(() => client.close().catch(() => {}));
    await client.connect();
    const lines = Array.from({ length: 300 }, (_, n) => JSON.stringify({ ...assistant(`n${n}`), n }));
    for (const [n, text] of lines.entries()) {
      await client.send(text);
      if (n % 30 === 29) {
        await until(async () => (await store.sessions.get('s')) && (await said(store)).length > n / 2);
        line.cut();
      }
    }
    await until(async () => (await said(store)).length >= lines.length);
    expect(await said(store)).toEqual(lines);
  });
});
