import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';
import { driveSession } from './driven-session.ts';

/** Every request that a host can make, and whether the agent grants it when nothing is going on. */
const REQUESTS = [
  ['interrupt', {}, 200],
  ['set_permission_mode', { mode: 'acceptEdits' }, 200],
  ['set_permission_mode', { mode: 'nonsense' }, 422],
  ['set_model', { model: 'claude-opus-4-5' }, 200],
  ['set_model', {}, 200],
  ['set_max_thinking_tokens', { max_thinking_tokens: 1000 }, 200],
  ['mcp_status', {}, 200],
  ['mcp_message', { server_name: 'nobody', message: { jsonrpc: '2.0', id: 1, method: 'ping' } }, 422],
  ['mcp_reconnect', { serverName: 'nobody' }, 422],
  ['mcp_toggle', { serverName: 'nobody', enabled: false }, 422],
  ['mcp_set_servers', { servers: {} }, 200],
  ['mcp_read_resource', { serverName: 'nobody', uri: 'x:y' }, 422],
  ['rewind_files', { user_message_id: 'unknown' }, 422],
  ['stop_task', { task_id: 'unknown' }, 422],
  ['background_tasks', {}, 200],
  ['get_task_output', { task_id: 'unknown' }, 422],
  ['cancel_async_message', { message_uuid: 'unknown' }, 200],
  ['get_context_usage', {}, 200],
  ['get_session_cost', {}, 200],
  ['get_settings', {}, 200],
  ['get_hooks_listing', {}, 200],
  ['list_models', {}, 200],
  ['list_permission_rules', {}, 200],
  ['file_suggestions', { query: 'a' }, 200],
  ['read_file', { path: 'nowhere' }, 422],
  ['rename_session', { title: 'new name' }, 200],
  ['no_such_request', {}, 422],
] as const;

describe('control requests', () => {
  it('[AP10] of every kind are answered by the real agent, through REST and the stream alike', async () => {
    const session = await driveSession();
    const viewer = await TestViewer.connect(session.url, session.token);
    for (const [subtype, fields, status] of REQUESTS) {
      const answer = await session.call('POST', '/api/sessions/s/control', { subtype, ...fields });
      expect([subtype, answer.status, answer.body.code]).toEqual([
        subtype,
        status,
        status === 200 ? undefined : 'CONTROL_REFUSED',
      ]);
      const told = await viewer.ask({ type: 'control', session: 's', request: { subtype, ...fields } });
      expect([subtype, told.type]).toEqual([subtype, status === 200 ? 'ack' : 'error']);
    }
  });

  it('[AP2124] the record says who switched the mode, the model or the thinking of an agent, once it has', async () => {
    const session = await driveSession();
    for (const request of [
      { subtype: 'set_permission_mode', mode: 'nonsense' },
      { subtype: 'set_permission_mode', mode: 'plan', secret: 'x' },
      { subtype: 'set_model', model: 'claude-opus-4-5' },
      { subtype: 'rewind_files', user_message_id: 'unknown' },
      { subtype: 'mcp_status' },
    ])
      await session.call('POST', '/api/sessions/s/control', request);
    const { body } = await session.call('GET', '/api/sessions/s/events');
    const told = body.entries.filter(({ message }: { message: { type: string } }) => message.type === 'hub');
    expect(told).toMatchObject([
      {
        author: { by: 'person' },
        message: { subtype: 'request', request: { subtype: 'set_permission_mode', mode: 'plan' } },
      },
      {
        author: { by: 'person' },
        message: { subtype: 'request', request: { subtype: 'set_model', model: 'claude-opus-4-5' } },
      },
    ]);
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  it('[AP2451] the audit log has who asked what changes an agent, and not who looked at how it stands', async () => {
    const session = await driveSession();
    for (const subtype of ['mcp_status', 'get_hooks_listing', 'list_models', 'background_tasks'])
      await session.call('POST', '/api/sessions/s/control', { subtype });
    const { body } = await session.call('GET', '/api/audit?session=s');
    const [last, before] = body.items.map(({ what }: { what: string }) => what);
    expect(last).toBe('background_tasks');
    expect(before).not.toMatch(/mcp_status|get_|list_/);
  });

  it('[AP11] an agent that does not answer in time is a named error, and one that goes too', async () => {
    const { hub, store, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await until(async () => (await store.sessions.get('s'))?.state === 'idle');
    const ask = (query: string) =>
      call(hub.url, token, 'POST', `/api/sessions/s/control${query}`, { subtype: 'mcp_status' });
    expect(await ask('?timeoutMs=50')).toMatchObject({ status: 504, body: { code: 'CONTROL_TIMEOUT' } });
    expect(await ask('?timeoutMs=0')).toMatchObject({ status: 400, body: { code: 'REQUEST_INVALID' } });
    const heard = agent.heard.length;
    const waiting = ask('');
    await until(() => agent.heard.length > heard);
    await agent.transport.close();
    expect(await waiting).toMatchObject({ status: 502, body: { code: 'CONTROL_CLOSED' } });
    expect(await ask('')).toMatchObject({ status: 409, body: { code: 'AGENT_NOT_CONNECTED' } });
  });
});
