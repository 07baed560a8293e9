import { once } from 'node:events';
import { assistant, delta, TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { TestFrontend } from './test-frontend.ts';

const CONNECTED = 'claude code connected';
const IS_CONNECTED = 'claude code is connected';
const DISCONNECTED = 'claude code disconnected';

describe('frontends on /ws', () => {
  it('[TR1530] of pings that come together the last is answered: none costs a write of its own', async () => {
    const { hub, token } = await startTestHub({ openRelay: true });
    for (const path of ['/ws', '/api/stream']) {
      const headers = { authorization: `Bearer ${token}` };
      const socket = new WebSocket(`${hub.url.replace('http', 'ws')}${path}`, { headers });
      onTestFinished(() => socket.terminate());
      await once(socket, 'open');
      const pongs: string[] = [];
      socket.on('pong', (data) => pongs.push(data.toString()));
      for (let at = 0; at < 20_000; at += 1) socket.ping(String(at));
      socket.ping('last');
      await until(() => pongs.includes('last'));
      // The stream gives each frame a turn; what reads agents, many frames.
      if (path === '/ws') expect(pongs.length).toBeLessThan(2000);
    }
  });

  it('[RY1] get every line of the agent as it was written, and are told when it comes and goes', async () => {
    const { hub, token } = await startTestHub({ openRelay: true });
    const early = await TestFrontend.connect(`${hub.url}/ws`);
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    // Also what it says before anybody has greeted it.
    await agent.say({ type: 'note', n: 1 });
    await early.finds(({ type }) => type === 'note');
    const late = await TestFrontend.connect(`${hub.url}/ws`);
    await until(() => late.statuses.includes(IS_CONNECTED));
    const lines = [
      JSON.stringify(delta('hel')),
      '{ "type":"assistant" ,"odd" : [1,  2], "uuid":"u-1" }',
      'not JSON, but said',
      JSON.stringify(assistant('hello')),
    ];
    for (const line of lines) await agent.transport.send(line);
    await agent.transport.close();
    for (const frontend of [early, late]) {
      await until(() => frontend.lines.some((line) => line.includes(DISCONNECTED)));
      const said = frontend.lines.filter((line) => !line.includes('"status"'));
      expect(said).toEqual(frontend === early ? ['{"type":"note","n":1}', ...lines] : lines);
    }
    expect(early.statuses).toEqual([CONNECTED, DISCONNECTED]);
    expect(late.statuses).toEqual([IS_CONNECTED, DISCONNECTED]);
  });

  it('[RY2] hear the agents of all sessions, unless they name one', async () => {
    const { hub, store, token } = await startTestHub({ openRelay: true });
    const first = await TestAgent.dial(`${hub.url}/ws/one`, token);
    await until(async () => (await store.sessions.get('one'))?.state === 'idle');
    const follower = await TestFrontend.connect(`${hub.url}/ws`);
    const faithful = await TestFrontend.connect(`${hub.url}/ws?session=one`);
    const second = await TestAgent.dial(`${hub.url}/ws/two`, token);
    await until(() => follower.statuses.includes(CONNECTED));
    await second.say({ type: 'note', of: 'two' });
    await follower.finds(({ type, of }) => type === 'note' && of === 'two');
    await first.say({ type: 'note', of: 'one' });
    await follower.finds(({ type, of }) => type === 'note' && of === 'one');
    expect(await faithful.finds(({ type }) => type === 'note')).toMatchObject({ of: 'one' });
    expect(faithful.statuses).toEqual([IS_CONNECTED]);
    // One that names its session means that one, whatever its lines say.
    faithful.prompt('to the first', { to: 'another' });
    await first.hears(({ message }) => message?.content === 'to the first');
    expect(second.prompts).toEqual([]);
  });

  it('[RY3] send prompts that are durable and run once, and requests that are answered under their own id', async () => {
    const { hub, store, token } = await startTestHub({ openRelay: true });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const frontend = await TestFrontend.connect(`${hub.url}/ws`);
    const uuid = crypto.randomUUID();
    frontend.prompt('one', { uuid });
    frontend.prompt('one', { uuid });
    const heard = await agent.hears(({ message }) => message?.content === 'one');
    expect(heard.uuid).toBe(uuid);
    await agent.play('done');
    frontend.prompt('two');
    await agent.hears(({ message }) => message?.content === 'two');
    expect(agent.prompts).toEqual(['one', 'two']);
    const { entries } = await store.record.tail('s');
    const people = entries.flatMap((entry) => (entry.kind === 'line' ? [entry.author] : []));
    expect(people.find(({ by }) => by === 'person')).toEqual({
      by: 'person',
      name: 'open relay',
      device: '127.0.0.1',
      deviceId: 'open-relay',
    });
    frontend.say({ type: 'control_request', request_id: 'mine', request: { subtype: 'interrupt' } });
    const asked = await agent.hears(({ request }) => request?.subtype === 'interrupt');
    const response = { subtype: 'success', request_id: asked.request_id, response: { still_queued: [] } };
    await agent.say({ type: 'control_response', response });
    const answer = await frontend.finds(({ type }) => type === 'control_response');
    expect(answer.response).toEqual({ ...response, request_id: 'mine' });
    // What is wrong with it is said in the only words that frontends have.
    frontend.say({ type: 'user', message: { role: 'user' } });
    await until(() => frontend.statuses.some((text) => text.startsWith('MESSAGE_INVALID')));
  });

  it('[RY4] approve in both shapes; the first answer wins, and the others are told that nobody asks any more', async () => {
    const { hub, store, token } = await startTestHub({ openRelay: true });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const [one, other] = [
      await TestFrontend.connect(`${hub.url}/ws`),
      await TestFrontend.connect(`${hub.url}/ws`),
    ];
    await agent.ask('short', { command: 'ls' });
    for (const frontend of [one, other]) await frontend.finds(({ request_id }) => request_id === 'short');
    one.say({ type: 'control_response', request_id: 'short', permission: { allow: true } });
    await other.finds(({ type, request_id }) => type === 'control_cancel_request' && request_id === 'short');
    const short = await agent.hears(({ response }) => response?.request_id === 'short');
    expect(short.response.response).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' } });

    await agent.ask('long', { command: 'rm' });
    await other.finds(({ request_id }) => request_id === 'long');
    const denial = { behavior: 'deny', message: 'not that' };
    other.say({
      type: 'control_response',
      response: { subtype: 'success', request_id: 'long', response: denial },
    });
    const long = await agent.hears(({ response }) => response?.request_id === 'long');
    expect(long.response.response).toEqual(denial);
    await one.finds(({ type, request_id }) => type === 'control_cancel_request' && request_id === 'long');

    // One that has failed decides nothing.
    await agent.ask('third');
    await one.finds(({ request_id }) => request_id === 'third');
    one.say({
      type: 'control_response',
      response: { subtype: 'error', request_id: 'third', error: 'no callback' },
    });
    one.prompt('marker');
    await agent.hears(({ message }) => message?.content === 'marker');
    expect(await store.permissions.get('s', 'third')).toMatchObject({ state: 'open' });
    const late = await TestFrontend.connect(`${hub.url}/ws`);
    await late.finds(({ type, request_id }) => type === 'control_request' && request_id === 'third');
    expect(one.messages.filter(({ type }) => type === 'control_cancel_request')).toHaveLength(1);
  });

  it('[RY5] need a token, unless the relay is open; then pages of this machine may come, and no others', async () => {
    const { hub, store, token } = await startTestHub();
    await TestAgent.dial(`${hub.url}/ws/s`, token);
    expect(await TestFrontend.refusal(`${hub.url}/ws`)).toBe(401);
    const elsewhere = { headers: { authorization: `Bearer ${token}`, origin: 'http://localhost:5173' } };
    expect(await TestFrontend.refusal(`${hub.url}/ws`, elsewhere)).toBe(403);
    const watching = await TestFrontend.connect(`${hub.url}/ws`, {
      token: await tokenFor(store, { scope: 'watch' }),
    });
    await until(() => watching.statuses.includes(IS_CONNECTED));
    watching.prompt('not mine to say');
    await until(() => watching.statuses.some((text) => text.startsWith('FORBIDDEN')));
    expect(await store.inbox.list('s')).toEqual([]);
    const bound = await tokenFor(store, { session: 'other' });
    expect(
      await TestFrontend.refusal(`${hub.url}/ws?session=s`, {
        headers: { authorization: `Bearer ${bound}` },
      }),
    ).toBe(403);

    const open = await startTestHub({ openRelay: true });
    await TestFrontend.connect(`${open.hub.url}/ws`, { headers: { origin: 'http://localhost:5173' } });
    for (const headers of [{ origin: 'https://example.com' }, { host: 'example.com' }, { origin: 'null' }])
      expect(await TestFrontend.refusal(`${open.hub.url}/ws`, { headers })).toBe(403);
    expect(await TestFrontend.refusal(`${open.hub.url}/api/stream`)).toBe(401);
    expect(await TestFrontend.refusal(`${open.hub.url}/ws/s`)).toBe(401);
  });

  it('[RY6] are let in without a token on loopback only', async () => {
    for (const options of [{ host: '0.0.0.0', behindProxy: true }, { behindProxy: true }])
      await expect(startTestHub({ openRelay: true, ...options })).rejects.toMatchObject({
        code: 'OPEN_RELAY_REFUSED',
      });
  });

  it('[RY7] with auto-approval every tool call is allowed by the hub, and the audit log says so', async () => {
    const { hub, token } = await startTestHub({ autoApprove: true });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const ids = ['r1', 'r2', 'r3'];
    for (const id of ids) await agent.ask(id);
    for (const id of ids) {
      const { response } = await agent.hears((heard) => heard.response?.request_id === id);
      expect(response.response).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' } });
    }
    await agent.ask('r4');
    await agent.hears(({ response }) => response?.request_id === 'r4');
    const { body } = await call(hub.url, token, 'GET', '/api/audit?session=s');
    const allowed = body.items.filter(({ what }: { what: string }) => what === 'allow');
    expect(allowed).toHaveLength(4);
    const author = { by: 'hub', rule: '*', ruleId: 'auto-approve' };
    expect(allowed[0]).toMatchObject({ author, why: 'rule: allow * everywhere' });
  });

  it('[RY17] with auto-approval a question or a plan waits for people, and holds nothing else up', async () => {
    const { hub, store, token } = await startTestHub({ autoApprove: true });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const option = { label: 'A', description: '' };
    const questions = [{ question: 'Which?', header: 'W', options: [option, option], multiSelect: false }];
    await agent.ask('question', { questions }, 'AskUserQuestion');
    await agent.ask('plan', { plan: 'all of it' }, 'ExitPlanMode');
    await until(async () => (await store.permissions.countOpen()) === 2);
    for (const id of ['r1', 'r2']) {
      await agent.ask(id);
      const { response } = await agent.hears((heard) => heard.response?.request_id === id);
      expect(response.response.behavior).toBe('allow');
    }
    // One that cannot be answered is left, and the next one is not.
    await agent.say({
      type: 'control_request',
      request_id: 'person',
      request: { subtype: 'can_use_tool', tool_name: 'Odd', input: {}, requires_user_interaction: true },
    });
    await agent.ask('r3');
    await agent.hears((heard) => heard.response?.request_id === 'r3');
    const open = (await store.permissions.listOpen({})).items.map(({ requestId }) => requestId);
    expect(open).toEqual(['question', 'plan', 'person']);
  });

  it('[RY8] that do not read are closed with 4008, and the others notice nothing', async () => {
    const { hub, token, store } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const frontendOf = async (person: string) =>
      TestFrontend.connect(`${hub.url}/ws`, { token: await tokenFor(store, { person, scope: 'watch' }) });
    const [slow, quick] = [await frontendOf('Slow'), await frontendOf('Quick')];
    const watching = async (): Promise<number> =>
      (await call(hub.url, token, 'GET', '/api/sessions/s/viewers')).body.items.length;
    await until(async () => (await watching()) === 2);
    slow.socket.pause();
    let sent = 0;
    for (; (await watching()) === 2; sent += 1)
      await agent.say({ type: 'note', n: sent, long: 'x'.repeat(1024 * 1024) });
    // At once: the hub waits for some seconds only until its last word is read.
    slow.socket.resume();
    await until(() => slow.closed);
    expect(slow.closed).toBe(4008);
    await until(() => quick.lines.some((line) => line.startsWith(`{"type":"note","n":${sent - 1},`)));
    expect(quick.messages.filter(({ type }) => type === 'note')).toHaveLength(sent);
  });
});
