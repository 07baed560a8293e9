import { join } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import { assistant, TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { TestViewer } from '../live/test-viewer.ts';
import { TestFrontend } from '../relay/test-frontend.ts';
import { nested, questionLine } from './nested-json.ts';

const TOO_DEEP = [LIMITS.contentDepth.most, 2000, 4000, 100_000];

describe('what nests too deep', () => {
  it('[HB300] a question is refused with its code, kept in the record with a note, and the agent goes on', async () => {
    const { store, agent, api } = await stage();
    for (const levels of TOO_DEEP) {
      const id = `deep-${levels}`;
      await agent.transport.send(questionLine(id, nested(levels)));
      const { response } = await agent.hears(({ response: to }) => to?.request_id === id);
      expect(response).toMatchObject({ subtype: 'error', error_code: 'JSON_TOO_DEEP' });
    }
    await agent.ask('shallow');
    await until(async () => (await store.permissions.get('s', 'shallow'))?.state === 'open');
    const lines = await linesOf(store);
    expect(lines.filter((line) => line.includes('deep-'))).toHaveLength(TOO_DEEP.length);
    expect(lines.filter((line) => line.includes('"subtype":"unread"'))).toHaveLength(TOO_DEEP.length);
    const open = await api('GET', '/api/permissions');
    expect(open.body.items.map(({ requestId }: { requestId: string }) => requestId)).toEqual(['shallow']);
    const answered = await api('POST', '/api/sessions/s/permissions/shallow/answer', { behavior: 'allow' });
    expect(answered.body.isFirst).toBe(true);
  });

  it('[HB300] any other line is kept and shown as text, and none of it reaches hosts and frontends', async () => {
    const { hub, token, store, agent } = await stage();
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    const frontend = await TestFrontend.connect(`${hub.url}/ws?session=s`, { token });
    const host = await TestFrontend.connect(`${hub.url}/api/sessions/s/wire?after=new`, { token });
    const content = `[{"type":"tool_use","id":"t","input":${nested(5000)}}]`;
    const deep = `{"type":"assistant","message":{"role":"assistant","content":${content}},"uuid":"deep"}`;
    await agent.transport.send(deep);
    await agent.transport.send(`{"type":"stream_event","event":${nested(5000)},"uuid":"preview"}`);
    await agent.transport.send(`{"type":"system","subtype":"init","cwd":"/x","tools":${nested(5000)}}`);
    await agent.say({ ...assistant('after'), uuid: 'after' });
    const shown = await viewer.find(({ raw }) => typeof raw === 'string' && raw.includes('"uuid":"deep"'));
    expect(shown.raw).toBe(deep);
    await viewer.find(({ message }) => message?.subtype === 'unread');
    await until(() => frontend.messages.some(({ uuid }) => uuid === 'after'));
    await until(() => host.messages.some(({ uuid }) => uuid === 'after'));
    for (const { lines } of [frontend, host]) {
      expect(lines.filter((line) => /"uuid":"(deep|preview)"|"cwd":"\/x"/.test(line))).toEqual([]);
    }
    expect(host.messages.some(({ subtype }) => subtype === 'unread')).toBe(true);
    expect((await linesOf(store)).filter((line) => line.includes('"uuid":"deep"'))).toEqual([deep]);
  });

  it('[HB301] what an agent still asks when it is greeted again is refused where it is too deep', async () => {
    const { store, agent, dial, answered } = await stage();
    await agent.transport.close();
    await until(async () => (await store.sessions.get('s'))?.state === 'exited');
    const again = await dial();
    const line = (id: string, input: string) => questionLine(id, input);
    const pending = [
      line('p-flat', '{"command":"ls"}'),
      line('p-499', nested(499)),
      line('p-9000', nested(9000)),
    ];
    const open = await again.hears(({ request }) => request?.subtype === 'initialize');
    await again.transport.send(
      `{"type":"control_response","response":{"subtype":"error","request_id":"${open.request_id}","error":"Already initialized","pending_permission_requests":[${pending.join(',')}]}}`,
    );
    for (const id of ['p-499', 'p-9000']) {
      expect(await answered(again, id)).toMatchObject({ subtype: 'error', error_code: 'JSON_TOO_DEEP' });
    }
    await until(async () => (await store.permissions.get('s', 'p-flat'))?.state === 'open');
  });

  it('[HB302] prompts and answers of people are refused by REST, stream and wire, and the next ones are taken', async () => {
    const { hub, token, agent, api } = await stage();
    await agent.ask('q');
    await until(async () => (await api('GET', '/api/permissions')).body.items.length === 1);
    const content = `[{"type":"text","text":"x","deep":${nested(4000)}}]`;
    const bodies: [string, string][] = [
      ['/api/sessions/s/prompts', `{"clientId":"p","content":${content}}`],
      ['/api/sessions/s/permissions/q/answer', `{"behavior":"allow","updatedInput":${nested(4000)}}`],
      ['/api/sessions/s/permissions/q/answer', `{"behavior":"allow","result":${nested(4000)}}`],
      ['/api/sessions/s/control', `{"subtype":"set_model","model":${nested(4000)}}`],
    ];
    for (const [path, body] of bodies) {
      const response = await fetch(`${hub.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'JSON_TOO_DEEP' });
    }
    const viewer = await TestViewer.connect(hub.url, token);
    viewer.socket.send(`{"type":"user-message","id":"v","session":"s","content":${content}}`);
    expect(await viewer.find(({ type }) => type === 'error')).toMatchObject({ code: 'JSON_TOO_DEEP' });
    const host = await TestFrontend.connect(`${hub.url}/api/sessions/s/wire?after=new`, { token });
    host.socket.send(`{"type":"user","message":{"role":"user","content":${content}},"uuid":"w"}`);
    await until(() => host.messages.some(({ code }) => code === 'JSON_TOO_DEEP'));
    host.socket.send(
      `{"type":"control_request","request_id":"c","request":{"subtype":"x","a":${nested(4000)}}}`,
    );
    await until(() => host.messages.some(({ response }) => response?.error_code === 'json_too_deep'));
    host.prompt('after', { uuid: crypto.randomUUID() });
    expect((await api('POST', '/api/sessions/s/permissions/q/answer', { behavior: 'allow' })).status).toBe(
      200,
    );
    await until(() => agent.prompts.includes('after'));
  });

  it('[HB300] a hybrid agent is told the same way', async () => {
    const { hub, token, api, agent } = await stage();
    const events = `{"events":[${questionLine('posted', nested(4000))},${JSON.stringify(assistant('posted too'))}]}`;
    const response = await fetch(`${hub.url}/session/s/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: events,
    });
    expect(response.status).toBe(200);
    expect((await agent.hears(({ response: to }) => to?.request_id === 'posted')).response).toMatchObject({
      error_code: 'JSON_TOO_DEEP',
    });
    expect((await api('GET', '/api/permissions')).body.items).toEqual([]);
  });
});

async function linesOf(store: Store): Promise<string[]> {
  const { entries } = await store.record.tail('s', 10_000);
  return entries.flatMap((entry) => (entry.kind === 'line' ? [entry.line.text()] : []));
}

async function stage() {
  const store = await openSqliteStore(join(temporaryFolder(), 'hub.db'));
  const { hub, token } = await startTestHub({ store });
  const dial = () => TestAgent.dial(`${hub.url}/ws/s`, token, { reconnect: { attempts: 0 }, greeting: null });
  const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
  await until(async () => (await store.sessions.get('s'))?.state === 'idle');
  const api = (method: string, path: string, body?: unknown) => call(hub.url, token, method, path, body);
  const answered = async (from: TestAgent, id: string) =>
    (await from.hears(({ response }) => response?.request_id === id)).response;
  return { hub, store, token, agent, dial, api, answered };
}
