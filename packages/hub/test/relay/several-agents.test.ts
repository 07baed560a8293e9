import { setImmediate as nextTick } from 'node:timers/promises';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TestFrontend } from './test-frontend.ts';

const CONNECTED = 'claude code connected';
const IS_CONNECTED = 'claude code is connected';
const DISCONNECTED = 'claude code disconnected';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A hub with an open relay, a frontend, and two agents that have named their conversations `A` and `B`. */
async function stageOfTwo() {
  const { hub, store, token } = await startTestHub({ openRelay: true });
  const frontend = await TestFrontend.connect(`${hub.url}/ws`);
  const agents: TestAgent[] = [];
  for (const name of ['A', 'B']) {
    const agent = await TestAgent.dial(`${hub.url}/ws/of-${name}`, token);
    agents.push(agent);
    await frontend.finds(({ type, session_id }) => type === 'status' && session_id === `of-${name}`);
    await begin(agent, name);
    await frontend.finds(({ type, session_id }) => type === 'result' && session_id === name);
  }
  const [a, b] = agents;
  if (!a || !b) throw new Error('two agents were to come');
  return { hub, store, token, frontend, a, b };
}

/** A turn without a word, in a conversation of this name. */
async function begin(agent: TestAgent, conversation: string): Promise<void> {
  const named = { session_id: conversation, cwd: '/', model: 'm' };
  await agent.say({ type: 'system', subtype: 'init', ...named, uuid: crypto.randomUUID() });
  await agent.say({
    type: 'result',
    subtype: 'success',
    result: '',
    ...named,
    uuid: crypto.randomUUID(),
  });
}

describe('a frontend of several agents', () => {
  it('[RY1100] hears each of them and who comes and goes; nobody who does silences another', async () => {
    const { hub, token, frontend, a, b } = await stageOfTwo();
    const heard = (of: string) => frontend.finds((message) => message.type === 'note' && message.of === of);
    await a.say({ type: 'note', of: 'A, beside B' });
    await heard('A, beside B');
    await b.transport.close();
    await until(() => frontend.statuses.includes(DISCONNECTED));
    await a.say({ type: 'note', of: 'A, after B' });
    await heard('A, after B');
    const c = await TestAgent.dial(`${hub.url}/ws/of-C`, token);
    await c.say({ type: 'note', of: 'C' });
    await heard('C');
    await a.say({ type: 'note', of: 'A, beside C' });
    await heard('A, beside C');
    const told = frontend.messages.filter(({ type }) => type === 'status');
    expect(told.map(({ text, session_id }) => [text, session_id])).toEqual([
      [CONNECTED, 'of-A'],
      [CONNECTED, 'of-B'],
      [DISCONNECTED, 'B'],
      [CONNECTED, 'of-C'],
    ]);
    const late = await TestFrontend.connect(`${hub.url}/ws`);
    await until(() => late.statuses.length === 2);
    expect(late.statuses).toEqual([IS_CONNECTED, IS_CONNECTED]);
    expect(new Set(late.messages.map(({ session_id }) => session_id))).toEqual(new Set(['A', 'of-C']));
  });

  it('[RY1101] prompts the one that last named the session_id; without a clear name nobody gets it', async () => {
    const { hub, store, token, frontend, a, b } = await stageOfTwo();
    frontend.prompt('for A', { to: 'A' });
    await a.hears(({ message }) => message?.content === 'for A');
    frontend.prompt('for B', { to: 'B' });
    await b.hears(({ message }) => message?.content === 'for B');
    for (const agent of [a, b]) await begin(agent, agent === a ? 'A' : 'B');

    frontend.prompt('for nobody', { to: 'C' });
    await until(() => frontend.statuses.some((text) => text.startsWith('RELAY_SESSION_UNKNOWN')));
    frontend.prompt('for one of them');
    await until(() => frontend.statuses.some((text) => text.startsWith('RELAY_SESSION_UNNAMED')));

    // One that has said nothing yet is named as its status has it.
    const fresh = await TestAgent.dial(`${hub.url}/ws/fresh`, token);
    const { session_id: to } = await frontend.finds(({ session_id }) => session_id === 'fresh');
    frontend.prompt('for the fresh one', { to });
    await fresh.hears(({ message }) => message?.content === 'for the fresh one');
    // It goes on with what A had begun: whoever said so last is meant.
    await begin(fresh, 'A');
    await frontend.finds(({ type, session_id }) => type === 'result' && session_id === 'A');
    await until(async () => (await store.record.tail('fresh')).last >= 4);
    frontend.prompt('for A, once more', { to: 'A' });
    await fresh.hears(({ message }) => message?.content === 'for A, once more');

    for (const agent of [fresh, b]) await agent.transport.close();
    await until(() => frontend.statuses.filter((text) => text === DISCONNECTED).length === 2);
    frontend.prompt('for the only one');
    await a.hears(({ message }) => message?.content === 'for the only one');
    expect(a.prompts).toEqual(['for A', 'for the only one']);
    expect(b.prompts).toEqual(['for B']);
    expect(fresh.prompts).toEqual(['for the fresh one', 'for A, once more']);
  });

  it('[RY1102] answers whichever asked, by the request id, in both shapes; of two answers at once one counts', async () => {
    const { hub, store, frontend, a, b } = await stageOfTwo();
    const other = await TestFrontend.connect(`${hub.url}/ws`);
    await a.ask('of-a', { command: 'a' });
    await b.ask('of-b', { command: 'b' });
    for (const id of ['of-a', 'of-b']) await frontend.finds(({ request_id }) => request_id === id);
    frontend.say({ type: 'control_response', request_id: 'of-b', permission: { allow: true } });
    const denial = { behavior: 'deny', message: 'no' };
    frontend.say({
      type: 'control_response',
      response: { subtype: 'success', request_id: 'of-a', response: denial },
    });
    const saidToB = await b.hears(({ response }) => response?.request_id === 'of-b');
    const saidToA = await a.hears(({ response }) => response?.request_id === 'of-a');
    expect(saidToB.response.response).toEqual({ behavior: 'allow', updatedInput: { command: 'b' } });
    expect(saidToA.response.response).toEqual(denial);
    for (const id of ['of-a', 'of-b'])
      await other.finds(({ type, request_id }) => type === 'control_cancel_request' && request_id === id);

    await a.ask('both');
    for (const one of [frontend, other]) await one.finds(({ request_id }) => request_id === 'both');
    frontend.say({ type: 'control_response', request_id: 'both', permission: { allow: true } });
    other.say({ type: 'control_response', request_id: 'both', permission: { allow: false } });
    await a.hears(({ response }) => response?.request_id === 'both');
    for (const one of [frontend, other]) one.prompt('after it', { to: 'A' });
    await until(() => a.prompts.length > 0);
    const answers = a.heard.filter(({ response }) => response?.request_id === 'both');
    expect(answers).toHaveLength(1);
    const { answer } = (await store.permissions.get('of-A', 'both')) ?? {};
    expect(answers[0].response.response.behavior).toBe(answer?.response['behavior']);

    // Two agents that ask under one id: to allow the wrong one would be worse than to allow none.
    await a.ask('same');
    await b.ask('same');
    await until(async () => (await store.permissions.countOpen()) === 2);
    frontend.say({ type: 'control_response', request_id: 'same', permission: { allow: true } });
    await until(() => frontend.statuses.some((text) => text.startsWith('RELAY_ANSWER_AMBIGUOUS')));
    expect(await store.permissions.countOpen()).toBe(2);
  });

  it("[RY1103] has its other lines passed on as they are, but for the hub's own, and hears what is wrong with garbage", async () => {
    const { hub, store, token, frontend, a, b } = await stageOfTwo();
    const odd = '{ "type":"later_thing" ,"n" : [1,  2], "session_id":"A" }';
    frontend.socket.send(odd);
    await a.hears(({ type }) => type === 'later_thing');
    const variables = { type: 'update_environment_variables', variables: { KEY: 'x' }, session_id: 'A' };
    frontend.say(variables);
    await until(() => frontend.statuses.some((text) => text.startsWith('FORBIDDEN')));
    const admin = await TestFrontend.connect(`${hub.url}/ws`, { token: await tokenFor(store) });
    await until(() => admin.statuses.length === 2);
    admin.say(variables);
    expect(await a.hears(({ type }) => type === 'update_environment_variables')).toEqual(variables);

    for (const type of ['bridge', 'hub', 'status', 'keep_alive'])
      frontend.say({ type, subtype: 'stop', session_id: 'A' });
    const garbage = ['not JSON', '[1]', '{"n":1}', '"x"', '{"type":"bridge","type":"x","session_id":"A"}'];
    for (const line of garbage) frontend.socket.send(line);
    const refusals = () => frontend.statuses.filter((text) => text.startsWith('RELAY_LINE_UNREADABLE'));
    await until(() => refusals().length === garbage.length);
    frontend.prompt('after it', { to: 'A' });
    await a.hears(({ message }) => message?.content === 'after it');
    const others = a.heard.map(({ type }) => type).filter((type) => !/^(user|control_)/.test(type));
    expect(others).toEqual(['later_thing', 'update_environment_variables']);
    expect(b.heard.every(({ type }) => type.startsWith('control_'))).toBe(true);
    const { body } = await call(hub.url, token, 'GET', '/api/audit?session=of-A');
    const passed = body.items.filter(({ what }: { what: string }) => what === 'pass on');
    expect(new Set(passed.map(({ subject }: { subject: string }) => subject))).toEqual(
      new Set(['later_thing', 'update_environment_variables']),
    );
    // What may be a secret is in no record.
    const { entries } = await store.record.tail('of-A');
    expect(entries.some((entry) => entry.kind === 'line' && entry.line.text().includes('KEY'))).toBe(false);
  });

  it('[RY1599] that says nothing for a day still hears everything', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { frontend, a } = await stageOfTwo();
    let pings = 0;
    frontend.socket.on('ping', () => {
      pings += 1;
    });
    const stepMs = 5000;
    for (let passed = 0; passed < DAY_MS; passed += stepMs) {
      vi.advanceTimersByTime(stepMs);
      // What was sent in this step is read, and answered, before the next.
      for (let turn = 0; turn < 4; turn += 1) await nextTick();
    }
    expect(pings).toBeGreaterThan(1000);
    expect(frontend.closed).toBeUndefined();
    await a.say({ type: 'note', of: 'A, a day later' });
    await frontend.finds(({ type, of }) => type === 'note' && of === 'A, a day later');
  });

  it('[RY1104] may take back what it asked', async () => {
    const { frontend, a } = await stageOfTwo();
    const request = { subtype: 'get_context_usage' };
    frontend.say({ type: 'control_request', request_id: 'mine', request, session_id: 'A' });
    const asked = await a.hears((heard) => heard.request?.subtype === request.subtype);
    frontend.say({ type: 'control_cancel_request', request_id: 'mine' });
    await a.hears(
      ({ type, request_id }) => type === 'control_cancel_request' && request_id === asked.request_id,
    );
    const { response } = await frontend.finds(({ type }) => type === 'control_response');
    expect(response).toMatchObject({ subtype: 'error', request_id: 'mine' });
    // Nor is it guessed whom a request is for.
    frontend.say({ type: 'control_request', request_id: 'whose', request });
    const refused = await frontend.finds(({ response: said }) => said?.request_id === 'whose');
    expect(refused.response.error_code).toBe('relay_session_unnamed');
  });
});
