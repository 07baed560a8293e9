import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

describe('the API', () => {
  it('[HB50] says what went wrong as problem+json, and what to do', async () => {
    const { hub, token } = await startTestHub();
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const cases = [
      ['GET', '/api/nothing', undefined, 404, 'ROUTE_NOT_FOUND'],
      ['GET', '/api/sessions/unknown', undefined, 404, 'STORE_SESSION_NOT_FOUND'],
      ['POST', '/api/sessions', { id: 's' }, 409, 'STORE_SESSION_EXISTS'],
      ['POST', '/api/sessions', { id: 'not an id' }, 400, 'REQUEST_INVALID'],
      ['POST', '/api/sessions', { id: '.' }, 400, 'REQUEST_INVALID'],
      ['POST', '/api/sessions', { id: '..' }, 400, 'REQUEST_INVALID'],
      ['POST', '/api/sessions/s/prompts', { content: 'x' }, 400, 'REQUEST_INVALID'],
      [
        'POST',
        '/api/sessions/s/prompts',
        { clientId: 'p', content: [{ type: 'text' }] },
        400,
        'MESSAGE_INVALID',
      ],
      ['POST', '/api/sessions/s/control', { subtype: 'interrupt' }, 409, 'AGENT_NOT_CONNECTED'],
      ['POST', '/api/sessions/s/control', { subtype: 'initialize' }, 400, 'REQUEST_INVALID'],
      ['POST', '/api/devices', { person: 'Ada', name: 'x', scope: 'all' }, 400, 'REQUEST_INVALID'],
      ['GET', '/api/sessions/s/events?from=0', undefined, 400, 'REQUEST_INVALID'],
      ['PATCH', '/api/sessions/s/prompts/unknown', { content: 'x' }, 404, 'STORE_NOT_FOUND'],
    ] as const;
    for (const [method, path, body, status, code] of cases) {
      const answer = await call(hub.url, token, method, path, body);
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({ path, status, code });
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(answer.body.detail.length).toBeGreaterThan(10);
    }
  });

  it('[HB51] refuses a body over the limit, and stays up', async () => {
    const { hub, token } = await startTestHub();
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const content = 'x'.repeat(33 * 1024 * 1024);
    const answer = await call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId: 'p', content });
    expect(answer).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LONG' } });
    expect((await call(hub.url, token, 'GET', '/api/sessions/s')).status).toBe(200);
  });

  it('[HB52] answers every control request with what the agent says, or with why not', async () => {
    const { hub, store, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await until(async () => (await store.sessions.get('s'))?.state === 'idle');
    const path = '/api/sessions/s/control';
    const model = call(hub.url, token, 'POST', path, { subtype: 'set_model', model: 'other' });
    const asked = await agent.hears(({ request }) => request?.subtype === 'set_model');
    const { request_id } = asked;
    await agent.say({
      type: 'control_response',
      response: { subtype: 'success', request_id, response: { model: 'other' } },
    });
    expect(await model).toMatchObject({ status: 200, body: { model: 'other' } });
    const mode = call(hub.url, token, 'POST', path, { subtype: 'set_permission_mode', mode: 'x' });
    const refused = await agent.hears(({ request }) => request?.subtype === 'set_permission_mode');
    await agent.say({
      type: 'control_response',
      response: { subtype: 'error', request_id: refused.request_id, error: 'no such mode' },
    });
    expect(await mode).toMatchObject({
      status: 422,
      body: { code: 'CONTROL_REFUSED', detail: 'no such mode' },
    });
    const left = call(hub.url, token, 'POST', path, { subtype: 'background_tasks' });
    await agent.hears(({ request }) => request?.subtype === 'background_tasks');
    await agent.transport.close();
    expect(await left).toMatchObject({ status: 502, body: { code: 'CONTROL_CLOSED' } });
    const { items } = (await call(hub.url, token, 'GET', '/api/audit?session=s')).body;
    expect(items.map(({ what }: { what: string }) => what)).toEqual([
      'background_tasks',
      'set_permission_mode',
      'set_model',
    ]);
  });

  it('[HB53] describes itself by the schemas that check it', async () => {
    const { hub, token } = await startTestHub();
    const { body } = await call(hub.url, token, 'GET', '/api/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const { post } = body.paths['/api/sessions/{session}/prompts'];
    expect(post.parameters).toMatchObject([
      { name: 'session', in: 'path', required: true },
      { name: 'Idempotency-Key', in: 'header', required: false },
    ]);
    expect(post.requestBody.content['application/json'].schema.required).toEqual(['clientId', 'content']);
    expect(post.responses['201'].content['application/json'].schema.properties.state.enum).toContain(
      'waiting',
    );
  });

  it('[HB76] counts what agents ask in the store, also when nobody uses the session', async () => {
    const { hub, store, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await agent.ask('q');
    await until(async () => (await store.permissions.countOpen()) === 1);
    await hub.close();
    const next = await startTestHub({ store });
    const figures = (await call(next.hub.url, token, 'GET', '/metrics')).body;
    expect(figures).toMatch(/^signalbox_asks_open 1$/m);
  });

  it('[HB54] tells that it lives, whether it is ready, and its figures', async () => {
    const { hub, store, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await agent.play('x');
    await until(async () => (await store.record.tail('s')).last >= 4);
    expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${hub.url}/readyz`)).status).toBe(200);
    expect((await fetch(`${hub.url}/metrics`)).status).toBe(401);
    const figures = (await call(hub.url, token, 'GET', '/metrics')).body;
    expect(figures).toMatch(/^signalbox_agents_connected 1$/m);
    expect(figures).toMatch(/^signalbox_lines_recorded_total [4-9]$/m);
    await store.close();
    expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
    await until(async () => (await fetch(`${hub.url}/readyz`)).status === 503);
    expect(await (await fetch(`${hub.url}/readyz`)).text()).toBe('STORE_CLOSED\n');
  });
});
