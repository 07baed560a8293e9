import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { snapshot } from '@signalbox/testing/hub/sample-session';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { startTestHub, temporaryFolder, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { socketFetch } from '../../../cli/src/hub/socket-fetch.ts';
import { openMemoryStore } from '../../../hub/src/store/sqlite/memory-store.ts';
import { agentMessage, everyPage, HubApi, HubStream, MAX_WAITING_OPERATIONS } from '../../src/hub/index.ts';
import { entry, fakeHub } from './fake-hub.ts';
import { StreamViewer } from './stream-viewer.ts';

/** Who is told by whom how it goes, over a hub with an agent in session `s`. */
async function stage() {
  const { hub, store, token } = await startTestHub();
  const api = new HubApi({ url: hub.url, token });
  const { token: agentToken = '' } = await api.createSession({ id: 's' });
  const agent = await TestAgent.dial(`${hub.url}/ws/s`, agentToken);
  const viewer = new StreamViewer({ url: hub.url, token });
  viewer.watch('s');
  await viewer.hears('snapshot');
  await until(async () => (await api.session('s')).state === 'idle');
  return { hub, store, token, api, agent, viewer };
}

describe('HubStream', () => {
  it('[HC220] a program that does not say where the hub is is told so', () => {
    expect(() => new HubStream()).toThrow(
      expect.objectContaining({ code: 'OPTIONS_INVALID', message: expect.stringContaining('url') }),
    );
  });

  it('[HC221] the message of an entry has its type, and what is no message has none', () => {
    const of = { type: 'sdk-message', session: 's', seq: 1, check: 1 } as const;
    const said = { type: 'assistant', message: { role: 'assistant', content: [] } };
    expect(agentMessage({ ...of, message: said })).toBe(said);
    for (const message of [
      undefined,
      null,
      'text',
      {},
      { type: 7 },
      { type: 'hub' },
      { type: 'control_request' },
    ])
      expect(agentMessage({ ...of, message })).toBeUndefined();
  });

  it('[HC5] asks again for what a server left out, and tells nothing twice', async () => {
    const hub = await fakeHub();
    const viewer = new StreamViewer({ url: hub.url });
    viewer.watch('s');
    const asked = (): typeof hub.heard => hub.heard.filter(({ type }) => type === 'subscribe');
    await until(() => asked().length === 1);
    hub.say(snapshot(1, 2), entry(1), entry(2), entry(5), entry(6));
    await until(() => asked().length === 2);
    expect(asked()[1]).toMatchObject({ cursor: { seq: 2, check: 2 } });
    hub.say(entry(7), snapshot(3, 7), entry(3), entry(4), entry(5), entry(6), entry(7));
    // The answer to an earlier subscription, which begins where that one was to begin.
    hub.say(snapshot(1, 7), entry(6), entry(7), entry(8));
    await until(() => viewer.numbers.length >= 8);
    expect(viewer.numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('[HC530] leaves out what no hub says, and a program that watches lives on', async () => {
    const hub = await fakeHub();
    const viewer = new StreamViewer({ url: hub.url });
    viewer.watch('s');
    const sessions: unknown[] = [];
    viewer.stream.watchSessions((session) => sessions.push(session));
    await until(() => hub.heard.length >= 2);
    for (const rubbish of [
      null,
      7,
      [],
      {},
      { type: 'session', session: null },
      { type: 'session' },
      { type: 'session', session: 's' },
      { type: 'removed', session: null },
      { type: 'permission', session: null },
      { type: 'snapshot', session: 's' },
      { type: 'snapshot', session: { id: 's' } },
      { type: 'sdk-message', session: 's', seq: '1' },
      { type: 'error', id: {} },
      { type: 'permission', session: 's', permission: null },
      { type: 'permission', session: 's', permission: { requestId: 'r', state: 'open', request: null } },
      { type: 'permission', session: 's', permission: { requestId: 'r', request: {}, answer: {} } },
      { type: 'prompt', session: 's', prompt: 5 },
      { type: 'prompt', session: 's', prompt: { id: 'p' } },
      { type: 'presence', session: 's', joined: 5, left: [] },
      { type: 'presence', session: 's', joined: [] },
      { type: 'exit', session: 's', stderr: {} },
      { ...snapshot(1, 1), permissions: [null] },
      { ...snapshot(1, 1), prompts: [null] },
      { ...entry(1), author: 'me' },
    ])
      hub.sayText(JSON.stringify(rubbish));
    hub.sayText('{'.repeat(100_000));
    hub.say(snapshot(1, 1), entry(1));
    await until(() => viewer.numbers.length === 1);
    expect(viewer.numbers).toEqual([1]);
    for (const type of ['permission', 'prompt', 'presence', 'exit'] as const)
      expect(viewer.all(type)).toEqual([]);
    expect(viewer.all('snapshot')).toHaveLength(1);
    expect(sessions).toEqual([]);
  });

  it('[HC6] goes on from its cursor when it was closed for not keeping up', async () => {
    const hub = await fakeHub();
    const viewer = new StreamViewer({ url: hub.url });
    viewer.watch('s');
    await until(() => hub.heard.length === 1);
    hub.say(snapshot(1, 2), entry(1), entry(2));
    await until(() => viewer.numbers.length === 2);
    hub.close(4008);
    await until(() => hub.heard.length === 2);
    expect(hub.heard[1]).toMatchObject({ type: 'subscribe', cursor: { seq: 2, check: 2 } });
    hub.say(entry(9), snapshot(3, 3), entry(3));
    await until(() => viewer.numbers.length === 3);
    expect(viewer.numbers).toEqual([1, 2, 3]);
    expect(viewer.all('snapshot').length).toBe(2);
  });

  it('[HC7] says a prompt and an answer again that a break left unanswered, and a control request never', async () => {
    const hub = await fakeHub();
    const viewer = new StreamViewer({ url: hub.url });
    await viewer.is('open');
    const prompted = viewer.stream.prompt('s', 'hello', { id: 'p' });
    const answered = viewer.stream.answer('s', 'r', { behavior: 'allow' });
    const stopped = viewer.stream.interrupt('s');
    await until(() => hub.heard.length === 3);
    hub.close(1011);
    await expect(stopped).rejects.toMatchObject({ code: 'HUB_CONNECTION_LOST' });
    await until(() => hub.heard.length === 5);
    expect(hub.heard.slice(3)).toEqual(hub.heard.slice(0, 2));
    for (const { id } of hub.heard.slice(3)) hub.say({ type: 'ack', id, result: { id } });
    expect(await prompted).toEqual({ id: 'p' });
    expect(await answered).toMatchObject({ id: hub.heard[1]?.id });
  });

  it('[HC8] keeps a limited number of operations for a hub that is away, and a real hub takes them all at once', async () => {
    const port = await freePort();
    const store = await openMemoryStore();
    await store.sessions.create('s');
    const viewer = new StreamViewer({ url: `http://127.0.0.1:${port}`, token: await tokenFor(store) });
    await viewer.is('waiting');
    const ids = Array.from({ length: MAX_WAITING_OPERATIONS }, (_, at) => `p${at}`);
    const prompted = ids.map((id) => viewer.stream.prompt('s', id, { id }));
    await expect(viewer.stream.prompt('s', 'one more')).rejects.toMatchObject({
      code: 'HUB_TOO_MANY_WAITING',
    });
    viewer.watch('s');
    await startTestHub({ port, store });
    expect((await Promise.all(prompted)).map(({ content }) => content)).toEqual(ids);
    expect((await store.inbox.list('s')).map(({ content }) => content)).toEqual(ids);
  });

  it('[HC9] tells of sessions that change, also of those that did while the connection was broken', async () => {
    const store = await openMemoryStore();
    const { hub, token } = await startTestHub({ store });
    const viewer = new StreamViewer({ url: hub.url, token });
    const heard: string[] = [];
    viewer.stream.watchSessions(({ id }) => heard.push(id));
    await viewer.is('open');
    await new HubApi({ url: hub.url, token }).createSession({ id: 'live' });
    await until(() => heard.includes('live'));
    await hub.close();
    await viewer.is('waiting');
    await store.sessions.create('meanwhile');
    await startTestHub({ store, port: hub.port });
    await until(() => heard.includes('meanwhile'));
    // One that only lost its connection has not changed for whoever sorts by that, and is told all the same.
    await until(() => heard.filter((id) => id === 'live').length > 1);
  });

  it('[HC9] says when it begins to tell, so that a list which is read then misses no change', async () => {
    const hub = await fakeHub();
    const viewer = new StreamViewer({ url: hub.url });
    const told: string[] = [];
    viewer.stream.watchSessions(
      () => {},
      () => {},
      () => told.push('sessions'),
    );
    viewer.stream.watchLoops(
      () => {},
      () => {},
      () => told.push('loops'),
    );
    await until(() => hub.heard.length > 0);
    // What is said before the answer may still be older than the subscription.
    hub.say({ type: 'ack', id: 'another' }, { type: 'removed', session: 's' });
    expect(told).toEqual([]);
    hub.say({ type: 'ack', id: hub.heard[0]?.id ?? '' });
    await until(() => told.length === 2);
    expect(told).toEqual(['sessions', 'loops']);
  });

  it('[HC16] tells of sessions that are removed', async () => {
    const { hub, token } = await startTestHub();
    const api = new HubApi({ url: hub.url, token });
    await api.createSession({ id: 's' });
    const viewer = new StreamViewer({ url: hub.url, token });
    const removed: string[] = [];
    viewer.stream.watchSessions(
      () => {},
      (id) => removed.push(id),
    );
    await viewer.is('open');
    // Answered after the subscription: what happens from now on is told.
    await expect(viewer.stream.interrupt('s')).rejects.toMatchObject({ reason: 'AGENT_NOT_CONNECTED' });
    await api.remove('s');
    await until(() => removed.includes('s'));
  });

  it('[HC10] tells who follows a session that the hub does not show it', async () => {
    const { viewer } = await stage();
    viewer.watch('nowhere');
    expect(await viewer.hears('error')).toMatchObject({ code: 'STORE_SESSION_NOT_FOUND' });
  });

  it('[HC11] gives what others said and decided: the first answer wins, and its author is known', async () => {
    const { hub, store, agent, viewer } = await stage();
    const phone = new StreamViewer({ url: hub.url, token: await tokenFor(store, { name: 'phone' }) });
    await agent.ask('r1');
    await viewer.hears('permission');
    expect(await phone.stream.answer('s', 'r1', { behavior: 'allow' })).toMatchObject({ isFirst: true });
    const late = await viewer.stream.answer('s', 'r1', { behavior: 'deny' });
    expect(late).toMatchObject({ isFirst: false, permission: { answer: { what: 'allow' } } });
    const { permission } = await viewer.hears('permission', (told) => told.permission.state === 'answered');
    expect(permission.answer?.author).toMatchObject({ by: 'person', name: 'Ada' });
  });
});

describe('HubApi', () => {
  it('[HC13] raises what the hub refuses with its code, and what nobody or something else answers', async () => {
    const { hub, token } = await startTestHub();
    await expect(new HubApi({ url: `${hub.url}/`, token }).session('nowhere')).rejects.toMatchObject({
      code: 'HUB_REFUSED',
      reason: 'STORE_SESSION_NOT_FOUND',
      status: 404,
    });
    await expect(new HubApi({ url: hub.url, token: 'wrong' }).me()).rejects.toMatchObject({
      reason: 'UNAUTHENTICATED',
      status: 401,
    });
    const nobody = new HubApi({ url: `http://127.0.0.1:${await freePort()}` });
    await expect(nobody.me()).rejects.toMatchObject({ code: 'HUB_UNREACHABLE' });
    const other = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await until(() => other.listening);
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(new HubApi({ url: `http://127.0.0.1:${port}` }).me()).rejects.toMatchObject({
      reason: 'ANSWER_UNREADABLE',
    });
  });

  it('[HC2120] asks once more what only reads, when its connection was closed in the moment of its use', async () => {
    const asked = { GET: 0, POST: 0 };
    let closed = 0;
    const used = new WeakSet<Socket>();
    const closing = createServer(({ method, socket }, response) => {
      asked[method === 'GET' ? 'GET' : 'POST'] += 1;
      // What was kept from an earlier request is closed by the next one.
      if (method === 'GET' && !used.has(socket)) {
        used.add(socket);
        response.end('{}');
        return;
      }
      closed += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void closing.close());
    await until(() => closing.listening);
    const address = closing.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const api = new HubApi({ url });
    let calls = 0;
    await until(async () => {
      await api.call('GET', '/api/me');
      calls += 1;
      return closed > 0;
    });
    expect(asked.GET).toBe(calls + closed);
    // What changes something may have been done.
    await expect(api.call('POST', '/api/sessions', {})).rejects.toMatchObject({ code: 'HUB_UNREACHABLE' });
    expect(asked.POST).toBe(1);
  });

  it('[HC550] reads an answer up to a limit, and leaves when it goes on', async () => {
    let left = 0;
    const endless = () =>
      createServer((_request, response) => {
        response.once('close', () => (left += 1));
        const write = (): void => void response.write('1'.repeat(100_000));
        response.on('drain', write);
        write();
      });
    const path = join(temporaryFolder(), 'hub.sock');
    const [atPort, atSocket] = [endless().listen(0, '127.0.0.1'), endless().listen(path)];
    onTestFinished(() => {
      atPort.close();
      atSocket.close();
    });
    await until(() => atPort.listening && atSocket.listening);
    const address = atPort.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const addresses = [{ url }, { url: 'http://localhost', fetch: socketFetch(() => path) }];
    for (const [index, hub] of addresses.entries()) {
      const api = new HubApi(hub, { answerBytes: 100_000 });
      await expect(api.me()).rejects.toMatchObject({ code: 'HUB_REFUSED', reason: 'ANSWER_TOO_LONG' });
      await until(() => left === index + 1);
    }
  });

  it('[HC780] names an answer that lacks what hubs say, whatever is in its place', async () => {
    const session = { id: 's', state: 'idle', title: null };
    const answers = [
      null,
      [],
      'x',
      {},
      { items: null, id: 7, url: 9, entries: {}, session: null },
      { items: [null], entries: [null] },
      { items: [{ ...session, id: 5 }], url: 'nowhere', last: 1, entries: 'x' },
      { items: [{ ...session, title: {} }], session: { ...session, folder: 5 } },
      { items: [{ id: 'd', person: 'p', name: 'n', scope: 5 }], next: {} },
    ];
    const odd = { code: 'HUB_REFUSED', reason: 'ANSWER_UNREADABLE' };
    for (const answer of answers) {
      const text = JSON.stringify(answer);
      const api = new HubApi({ fetch: async () => ({ ok: true, status: 200, text: async () => text }) });
      await expect(api.me()).rejects.toMatchObject(odd);
      await expect(api.sessions()).rejects.toMatchObject(odd);
      await expect(api.devices()).rejects.toMatchObject(odd);
      await expect(api.agents()).rejects.toMatchObject(odd);
      await expect(api.session('s')).rejects.toMatchObject(odd);
      await expect(api.createSession({})).rejects.toMatchObject(odd);
      await expect(api.events('s')).rejects.toMatchObject(odd);
      await expect(api.prompt('s', { clientId: 'c', content: 'x' })).rejects.toMatchObject(odd);
      await expect(api.createSignInLink()).rejects.toMatchObject(odd);
    }
  });

  it('[HC781] leaves a list that leads back to itself, or has no end', async () => {
    let pages = 0;
    const all = async (next: () => string, most?: number): Promise<void> => {
      for await (const _ of everyPage(async () => ({ items: [], next: next() }), most)) pages += 1;
    };
    await expect(all(() => 'same')).rejects.toMatchObject({ reason: 'ANSWER_UNREADABLE' });
    expect(pages).toBe(2);
    await expect(all(() => `${pages}`, 50)).rejects.toMatchObject({ reason: 'ANSWER_TOO_LONG' });
    expect(pages).toBe(52);
  });

  it('[HC14] does by REST what people do with a session', async () => {
    const { api, agent } = await stage();
    expect((await api.sessions({ state: 'idle' })).items.map(({ id }) => id)).toEqual(['s']);
    const prompt = await api.prompt('s', { clientId: 'p', content: 'hello' });
    expect((await api.prompt('s', { clientId: 'p', content: 'hello' })).id).toBe(prompt.id);
    await agent.hears(({ type }) => type === 'user');
    const next = await api.prompt('s', { clientId: 'q', content: 'later' });
    expect(await api.editPrompt('s', next.id, { content: 'much later' })).toMatchObject({
      content: 'much later',
    });
    expect(await api.cancelPrompt('s', next.id)).toMatchObject({ state: 'cancelled' });
    await agent.ask('r1');
    await until(async () => (await api.permissions({ session: 's' })).items.length === 1);
    expect(await api.answer('s', 'r1', { behavior: 'deny' })).toMatchObject({ isFirst: true });
    await agent.play('done');
    await until(async () => JSON.stringify(await api.events('s', { limit: 1 })).includes('done'));
    expect((await api.events('s', { from: 1, limit: 2 })).entries.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('[HC15] replaces a connection that nobody closed and that is dead', async () => {
    const hub = await fakeHub();
    const states: string[] = [];
    const onState = (state: string): number => states.push(state);
    const stream = new HubStream({ url: hub.url, WebSocket, onState, quietMs: 100, dialMs: 3000 });
    onTestFinished(() => stream.close());
    stream.watch('s', () => {});
    const subscriptions = (): unknown[] => hub.heard.filter(({ type }) => type === 'subscribe');
    await until(() => subscriptions().length >= 2);
    expect(states.slice(0, 4)).toEqual(['open', 'waiting', 'connecting', 'open']);
  });

  it('[HC810] whoever wakes it learns within moments that the connection is dead, whatever its patience', async () => {
    const hub = await fakeHub();
    const patient = { quietMs: 600_000, dialMs: 600_000 };
    const stream = new HubStream({ url: hub.url, WebSocket, ...patient });
    onTestFinished(() => stream.close());
    await until(() => stream.state === 'open');
    stream.wake();
    await until(() => stream.state !== 'open');
    await until(() => stream.state === 'open');
  });

  it('[HC810] and has another connection tried at once in place of one that nobody answers', async () => {
    const dialled: MuteSocket[] = [];
    type SocketEvent = { data: unknown; code: number; reason: string };
    class MuteSocket {
      readonly bufferedAmount = 0;
      readonly #listeners = new Map<string, (event: SocketEvent) => void>();
      constructor() {
        dialled.push(this);
      }
      addEventListener(type: string, listener: (event: SocketEvent) => void): void {
        this.#listeners.set(type, listener);
      }
      tell(type: string): void {
        this.#listeners.get(type)?.({ data: '', code: 1006, reason: '' });
      }
      send(): void {}
      close(): void {}
    }
    const stream = new HubStream({ url: 'http://127.0.0.1:1', WebSocket: MuteSocket, dialMs: 600_000 });
    onTestFinished(() => stream.close());
    stream.wake();
    expect(dialled).toHaveLength(2);
    // What becomes of the one that was left says nothing.
    dialled[0]?.tell('close');
    dialled[1]?.tell('open');
    expect(stream.state).toBe('open');
  });

  it('[HC15] keeps a connection that is only quiet', async () => {
    const { hub, token } = await stage();
    const states: string[] = [];
    const onState = (state: string): number => states.push(state);
    const stream = new HubStream({ url: hub.url, token, WebSocket, onState, quietMs: 50 });
    onTestFinished(() => stream.close());
    await until(() => states.includes('open'));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(states).toEqual(['open']);
  });
});
