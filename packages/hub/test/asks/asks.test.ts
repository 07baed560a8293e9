import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { FaultyLink } from '../chaos/faulty-link.ts';
import { TestViewer } from '../live/test-viewer.ts';

describe('permission requests', () => {
  it('[HB20] are shown to all, answered by one, and the other sees who it was', async () => {
    const { hub, store, token, agent } = await stage();
    const phone = await tokenFor(store, { person: 'Bob', name: 'phone', scope: 'approve' });
    const [left, right] = [await watch(hub.url, token), await watch(hub.url, phone)];
    await agent.ask('r1');
    for (const viewer of [left, right]) await viewer.find(({ permission }) => permission?.state === 'open');
    const ack = await right.ask({
      type: 'answer',
      session: 's',
      request: 'r1',
      answer: { behavior: 'allow' },
    });
    expect(ack.result).toMatchObject({ isFirst: true });
    const { permission } = await left.find(({ permission: of }) => of?.state === 'answered');
    expect(permission.answer).toMatchObject({
      author: { by: 'person', name: 'Bob', device: 'phone' },
      what: 'allow',
    });
    const heard = await agent.hears(({ type }) => type === 'control_response');
    expect(heard.response).toMatchObject({
      request_id: 'r1',
      response: { behavior: 'allow', updatedInput: { command: 'ls' } },
    });
    await until(async () => (await store.permissions.get('s', 'r1'))?.isDelivered);
    expect((await store.audit.list({ session: 's' })).items.map(({ what }) => what)).toContain('allow');
  });

  it('[HB21] take the first answer: a hundred that come at once have one effect', async () => {
    const { hub, token, agent } = await stage();
    await agent.ask('r1');
    await until(async () => (await call(hub.url, token, 'GET', '/api/permissions')).body.items.length === 1);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        call(hub.url, token, 'POST', '/api/sessions/s/permissions/r1/answer', {
          behavior: n % 2 ? 'allow' : 'deny',
        }),
      ),
    );
    const first = answers.filter(({ body }) => body.isFirst);
    expect(first).toHaveLength(1);
    await agent.hears(({ type }) => type === 'control_response');
    await agent.ask('r2');
    await until(async () => (await call(hub.url, token, 'GET', '/api/permissions')).body.items.length === 1);
    expect(agent.heard.filter(({ type }) => type === 'control_response')).toHaveLength(1);
    const { body } = await call(hub.url, token, 'POST', '/api/sessions/s/permissions/r1/answer', {
      behavior: 'deny',
    });
    expect(body.permission.answer.what).toBe(first[0]?.body.permission.answer.what);
  });

  it('[HB22] that the agent withdraws are closed, and cannot be answered any more', async () => {
    const { hub, store, token, agent } = await stage();
    await agent.ask('r1');
    await agent.say({ type: 'control_cancel_request', request_id: 'r1' });
    await until(async () => (await store.permissions.get('s', 'r1'))?.state === 'withdrawn');
    const late = await call(hub.url, token, 'POST', '/api/sessions/s/permissions/r1/answer', {
      behavior: 'allow',
    });
    expect(late.body).toMatchObject({ isFirst: false, permission: { state: 'withdrawn' } });
    const unknown = await call(hub.url, token, 'POST', '/api/sessions/s/permissions/nope/answer', {
      behavior: 'deny',
    });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'ASK_NOT_FOUND' } });
  });

  it('[HB23] of an agent that comes back are those that it still asks; an answer that it lacks is given again', async () => {
    const { hub, store, token, agent, link } = await stage();
    for (const id of ['r1', 'r2', 'r3']) await agent.ask(id);
    await until(async () => (await store.permissions.listOpen({})).items.length === 3);
    link.cut();
    await until(async () => (await store.sessions.get('s'))?.state === 'disconnected');
    await call(hub.url, token, 'POST', '/api/sessions/s/permissions/r2/answer', {
      behavior: 'deny',
      message: 'no',
    });
    const asked = (request_id: string) => ({
      type: 'control_request',
      request_id,
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {} },
    });
    const again = await TestAgent.dial(`${hub.url}/ws/s`, token, {
      greeting: {
        subtype: 'error',
        error: 'Already initialized',
        pending_permission_requests: [asked('r2'), asked('r3'), asked('r4')],
      },
    });
    const { response } = await again.hears(({ type }) => type === 'control_response');
    expect(response).toMatchObject({ request_id: 'r2', response: { behavior: 'deny', message: 'no' } });
    await until(async () => (await store.permissions.get('s', 'r4'))?.state === 'open');
    await until(async () => (await store.permissions.get('s', 'r1'))?.state === 'withdrawn');
    expect((await store.permissions.get('s', 'r3'))?.state).toBe('open');
  });

  it('[HB24] of an agent that is gone expire when another process takes its place', async () => {
    const { hub, store, token, agent, link } = await stage();
    await agent.ask('r1');
    await until(async () => (await store.permissions.listOpen({})).items.length === 1);
    link.cut();
    await TestAgent.dial(`${hub.url}/ws/s`, token);
    await until(async () => (await store.permissions.get('s', 'r1'))?.state === 'expired');
  });

  it('[HB25] are allowed or denied with the scope approve; to change them takes drive', async () => {
    const { hub, store, agent } = await stage();
    const approver = await tokenFor(store, { scope: 'approve' });
    const watcher = await tokenFor(store, { scope: 'watch' });
    await agent.ask('r1', { questions: [{ question: 'Which?' }] }, 'AskUserQuestion');
    await until(async () => (await store.permissions.listOpen({})).items.length === 1);
    const path = '/api/sessions/s/permissions/r1/answer';
    expect(await call(hub.url, watcher, 'POST', path, { behavior: 'allow' })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    const changed = { behavior: 'allow', updatedInput: { command: 'rm -rf /' } };
    expect(await call(hub.url, approver, 'POST', path, changed)).toMatchObject({
      status: 403,
      body: { code: 'ASK_CHANGE_FORBIDDEN' },
    });
    const answer = { behavior: 'allow', answers: { 'Which?': 'That one' } };
    expect((await call(hub.url, approver, 'POST', path, answer)).status).toBe(200);
    const { response } = await agent.hears(({ type }) => type === 'control_response');
    expect(response.response.updatedInput).toEqual({
      questions: [{ question: 'Which?' }],
      answers: { 'Which?': 'That one' },
    });
  });

  it('[HB26] that nobody answers stay open; other requests of an agent are refused at once', async () => {
    const { store, agent } = await stage();
    await agent.say({
      type: 'control_request',
      request_id: 'h1',
      request: { subtype: 'hook_callback', callback_id: 'x' },
    });
    const { response } = await agent.hears(({ type }) => type === 'control_response');
    expect(response).toMatchObject({ subtype: 'error', request_id: 'h1' });
    expect((await store.permissions.listOpen({})).items).toEqual([]);
  });
});

async function stage() {
  const { hub, store, token } = await startTestHub();
  const link = await FaultyLink.to(hub.port);
  const agent = await TestAgent.dial(`http://127.0.0.1:${link.port}/ws/s`, token, {
    reconnect: { attempts: 0 },
  });
  await until(async () => (await store.sessions.get('s'))?.state === 'idle');
  return { hub, store, token, agent, link };
}

async function watch(url: string, token: string): Promise<TestViewer> {
  const viewer = await TestViewer.connect(url, token);
  await viewer.ask({ type: 'subscribe', session: 's' });
  return viewer;
}
