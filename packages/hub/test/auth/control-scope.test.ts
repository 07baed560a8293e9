import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';
import { TestFrontend } from '../relay/test-frontend.ts';

const SERVERS = { x: { type: 'stdio', command: 'sh', args: ['-c', 'anything'] } };

/** What would run a program, change settings, or let the agent ask nobody. */
const OF_ADMINS = [
  { subtype: 'mcp_set_servers', servers: SERVERS },
  { subtype: 'mcp_toggle', serverName: 'x', enabled: true },
  { subtype: 'mcp_message', server_name: 'x', message: {} },
  { subtype: 'apply_flag_settings', settings: { permissions: { allow: ['Bash'] } } },
  { subtype: 'update_settings', source: 'userSettings', settings: {} },
  { subtype: 'set_mcp_permission_mode_override', serverName: 'x', mode: 'bypassPermissions' },
  { subtype: 'reload_plugins' },
  { subtype: 'set_permission_mode', mode: 'bypassPermissions' },
  { subtype: 'what_a_later_agent_may_know' },
];

describe('what one who drives an agent may not ask it', () => {
  it('[HB82] takes an admin: by REST, on the stream, and in the words of the agent', async () => {
    const { hub, store, token } = await startTestHub();
    const driver = await tokenFor(store, { scope: 'drive' });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await until(async () => (await store.sessions.get('s'))?.state === 'idle');
    const viewer = await TestViewer.connect(hub.url, driver);
    const hosts = [
      await TestFrontend.connect(`${hub.url}/api/sessions/s/wire`, { token: driver }),
      await TestFrontend.connect(`${hub.url}/ws?session=s`, { token: driver }),
    ];
    for (const request of OF_ADMINS) {
      const { subtype } = request;
      const answer = await call(hub.url, driver, 'POST', '/api/sessions/s/control', request);
      expect([subtype, answer.status, answer.body.code]).toEqual([subtype, 403, 'FORBIDDEN']);
      const told = await viewer.ask({ type: 'control', session: 's', request });
      expect([subtype, told.code]).toEqual([subtype, 'FORBIDDEN']);
      for (const host of hosts) {
        const id = crypto.randomUUID();
        host.say({ type: 'control_request', request_id: id, request });
        const { response } = await host.finds((message) => message.response?.request_id === id);
        expect([subtype, response.error_code]).toEqual([subtype, 'forbidden']);
      }
    }
    expect(agent.heard.map(({ request }) => request?.subtype)).toEqual(['initialize']);
    for (const request of OF_ADMINS) {
      const path = '/api/sessions/s/control?timeoutMs=1';
      const { subtype } = request;
      expect([subtype, (await call(hub.url, token, 'POST', path, request)).status]).toEqual([subtype, 504]);
      await agent.hears((message) => message.request?.subtype === subtype);
    }
  });

  it('[HB82] takes an admin as an answer, too: that the agent asks nobody from then on', async () => {
    const { hub, store, token } = await startTestHub();
    const driver = await tokenFor(store, { scope: 'drive' });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await agent.ask('r1', { plan: 'first this' }, 'ExitPlanMode');
    await until(async () => (await store.permissions.listOpen()).items.length === 1);
    const path = '/api/sessions/s/permissions/r1/answer';
    const mode = 'bypassPermissions';
    const updatedPermissions = [{ type: 'setMode', mode, destination: 'session' }];
    for (const how of [{ mode }, { updatedPermissions }])
      expect((await call(hub.url, driver, 'POST', path, { behavior: 'allow', ...how })).status).toBe(403);
    const answer = await call(hub.url, driver, 'POST', path, { behavior: 'allow', mode: 'acceptEdits' });
    expect(answer.status).toBe(200);
  });
});
