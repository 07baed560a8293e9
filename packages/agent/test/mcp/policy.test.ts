import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentInProject } from '../agent-in-project.ts';

const TOUCH = ['/bin/sh', '-c', 'touch started'];

/** What would be started, were it not denied. */
const SERVER = { command: '/bin/sh', args: ['-c', 'touch started'] };

function denying(...deniedMcpServers: object[]): string[] {
  return ['--managed-settings', JSON.stringify({ deniedMcpServers })];
}

describe('a server that the policy denies', () => {
  it('[MC470] is not started by mcp_set_servers, which says why', async () => {
    const agent = await agentInProject({ args: denying({ serverCommand: TOUCH }, { serverName: 'named' }) });
    const answer = await agent.peer.request({
      subtype: 'mcp_set_servers',
      servers: { one: SERVER, named: { command: '/bin/sh', args: ['-c', 'touch other'] } },
    });
    const reason = 'the policy of this machine does not allow it';
    expect(answer).toEqual({ added: [], removed: [], errors: { one: reason, named: reason } });
    expect(await agent.peer.request({ subtype: 'mcp_status' })).toEqual({ mcpServers: [] });
    expect(existsSync(join(agent.folder, 'started'))).toBe(false);
    expect(existsSync(join(agent.folder, 'other'))).toBe(false);
  });

  it('[MC470] replaces none that was set before, which is let go', async () => {
    const agent = await agentInProject({ args: denying({ serverUrl: 'http://127.0.0.1:1/*' }) });
    const set = (url: string) =>
      agent.peer.request({ subtype: 'mcp_set_servers', servers: { one: { type: 'http', url } } });
    expect(await set('http://127.0.0.1:2/x')).toMatchObject({ added: ['one'] });
    expect(await set('HTTP://127.0.0.1:1/y/../x')).toMatchObject({ added: [] });
    expect(await agent.peer.request({ subtype: 'mcp_status' })).toEqual({ mcpServers: [] });
  });

  it('[MC471] is found behind variables, also behind those that come later', async () => {
    const hidden = { command: '${X:-/bin/sh}', args: ['-c', '${NAME} started'] };
    const agent = await agentInProject({
      args: [
        ...denying({ serverCommand: TOUCH }),
        '--mcp-config',
        JSON.stringify({ mcpServers: { hidden } }),
      ],
      env: { NAME: 'touch' },
    });
    expect(await agent.peer.request({ subtype: 'mcp_status' })).toEqual({ mcpServers: [] });
    const later = { command: '/bin/sh', args: ['-c', '${LATER:-echo} started'] };
    await agent.peer.request({ subtype: 'mcp_set_servers', servers: { later } });
    await agent.peer.send({ type: 'update_environment_variables', variables: { LATER: 'touch' } });
    await expect(agent.peer.request({ subtype: 'mcp_reconnect', serverName: 'later' })).rejects.toThrow(
      'the policy of this machine does not allow it',
    );
    expect(existsSync(join(agent.folder, 'started'))).toBe(false);
    expect((await agent.finish()).stderr).toContain('The MCP server "hidden" is not used');
  });
});
