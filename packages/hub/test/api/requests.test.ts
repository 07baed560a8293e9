import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';

describe('requests', () => {
  it('[HB85] whoever hears of all sessions hears of those that are removed, as far as its token reaches', async () => {
    const { hub, store, token } = await startTestHub();
    for (const id of ['s', 'other']) await call(hub.url, token, 'POST', '/api/sessions', { id });
    const all = await TestViewer.connect(hub.url, token);
    const bound = await TestViewer.connect(hub.url, await tokenFor(store, { session: 'other' }));
    for (const viewer of [all, bound]) await viewer.ask({ type: 'subscribe', session: '*' });
    await all.ask({ type: 'subscribe', session: 'other' });
    for (const id of ['s', 'other']) await call(hub.url, token, 'DELETE', `/api/sessions/${id}`);
    const removals = (viewer: TestViewer) =>
      viewer.told.filter(({ type }) => type === 'removed').map(({ session }) => session);
    await until(() => removals(bound).length > 0 && removals(all).length > 1);
    expect([removals(all), removals(bound)]).toEqual([['s', 'other'], ['other']]);
  });

  it('[HB86] of a stream may share a frame, and under one id the agent is asked once', async () => {
    const { hub, store, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await until(async () => (await store.sessions.get('s'))?.state === 'idle');
    const viewer = await TestViewer.connect(hub.url, token);
    const lines = ['1', '2'].map((id) => JSON.stringify({ type: 'subscribe', id, session: '*' }));
    viewer.socket.send(`${lines.join('\n')}\n`);
    for (const id of ['1', '2']) expect((await viewer.find((told) => told.id === id)).type).toBe('ack');

    const ask = { type: 'control', id: 'same', session: 's', request: { subtype: 'interrupt' } };
    viewer.socket.send(JSON.stringify(ask));
    const { request_id } = await agent.hears(({ request }) => request?.subtype === 'interrupt');
    viewer.socket.terminate();
    const again = await TestViewer.connect(hub.url, token);
    const answered = again.ask(ask);
    const response = { subtype: 'success', request_id, response: { done: true } };
    await agent.say({ type: 'control_response', response });
    expect((await answered).result).toEqual({ done: true });
    const late = await TestViewer.connect(hub.url, token);
    expect((await late.ask(ask)).result).toEqual({ done: true });
    expect(agent.heard.filter(({ request }) => request?.subtype === 'interrupt')).toHaveLength(1);

    const other = late.ask({ ...ask, request: { subtype: 'mcp_status' } });
    const asked = await agent.hears(({ request }) => request?.subtype === 'mcp_status');
    const status = { subtype: 'success', request_id: asked.request_id, response: { mcpServers: [] } };
    await agent.say({ type: 'control_response', response: status });
    await until(() => late.told.filter(({ type }) => type === 'ack').length === 2);
    await other;
    expect(late.told.at(-1).result).toEqual({ mcpServers: [] });
  });

  it('[HB87] that mean two things, or nothing, are refused; a place without an agent does not start', async () => {
    const { hub, token } = await startTestHub();
    const made = await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    expect(made.body.session.state).toBe('disconnected');
    for (const [path, status] of [
      ['/api/sessions/s/events?from=1&before=5', 400],
      ['/api/sessions/s/events?from=1&after_uuid=x', 400],
      ['/api/sessions/s/events?from=1', 200],
      ['/api/sessions/nobody/events', 404],
      ['/api/sessions/nobody/prompts', 404],
      ['/api/permissions?session=nobody', 404],
      ['/api/sessions/s/prompts', 200],
      ['/api/permissions?session=s', 200],
    ] as const)
      expect([path, (await call(hub.url, token, 'GET', path)).status]).toEqual([path, status]);
    const transcript = await call(hub.url, token, 'GET', '/api/sessions/s/transcript');
    expect(transcript.headers.get('content-type')).toBe('application/jsonl');
  });
});
