import type { JsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { builtProgram } from '../../../test/programs.ts';
import { type AgentInProject, agentInProject, lastInit, type ProjectOptions } from './agent-in-project.ts';
import { EVERYTHING, nodeServer } from './mcp/mcp-bench.ts';
import { serveGreeting } from './mcp/web-server.ts';

const UNASKED = ['--dangerously-skip-permissions'];
const ODD = builtProgram('packages/agent/test/mcp/odd-server.ts');
const every = nodeServer(EVERYTHING, ['stdio']);

function odd(mode: string, env: Record<string, string> = {}) {
  return {
    type: 'stdio',
    command: process.execPath,
    args: [ODD, mode],
    env,
  };
}

function agentWith(
  servers: JsonObject,
  { args = UNASKED, ...options }: ProjectOptions = {},
): Promise<AgentInProject> {
  return agentInProject({
    ...options,
    args: [...args, '--mcp-config', JSON.stringify({ mcpServers: servers })],
  });
}

/** A server in the host with one tool, and the methods it was called with. */
function shoutingHost(agent: AgentInProject): unknown[] {
  const called: unknown[] = [];
  const inputSchema = { type: 'object', properties: { words: { type: 'string' } } };
  const results: Record<string, (params: JsonObject) => JsonObject> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'inner', version: '1' },
    }),
    'tools/list': () => ({ tools: [{ name: 'shout', inputSchema }] }),
    'tools/call': ({ arguments: input }) => ({
      content: [{ type: 'text', text: String(Object(input).words).toUpperCase() }],
    }),
  };
  agent.peer.handle('mcp_message', ({ message }) => {
    const { id, method, params } = Object(message);
    called.push(method);
    const result = results[method]?.(params) ?? {};
    return { mcp_response: { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), result } };
  });
  return called;
}

const ECHO = 'call mcp__every__echo {"message":"hello"}';

describe('MCP servers of a session', () => {
  it.each(['mcp__a__every', 'mcp__a__every__*', 'mcp__a__every__echo'])(
    '[PM3732] a rule that denies their tools counts by the name that other agents have for them: %s',
    async (rule) => {
      const agent = await agentWith({ a__every: every }, { args: [...UNASKED, '--disallowedTools', rule] });
      const { tool } = await agent.turn('call mcp__a_every__echo {"message":"hello"}');
      expect(tool).toMatchObject({ is_error: true, content: expect.stringContaining('denied') });
    },
  );

  it('[PM3732] a rule that allows them does not', async () => {
    const agent = await agentWith({ a__every: every }, { args: ['--allowedTools', 'mcp__a__every'] });
    const { tool } = await agent.turn('call mcp__a_every__echo {"message":"hello"}');
    expect(tool).toMatchObject({ is_error: true });
  });

  it('[MC60] the first turn waits for servers that are starting; init names them and their tools', async () => {
    const agent = await agentWith({ every });
    const { tool } = await agent.turn(ECHO);
    expect(lastInit(agent.messages)).toMatchObject({
      mcp_servers: [{ name: 'every', status: 'connected' }],
      tools: expect.arrayContaining(['mcp__every__echo', 'ListMcpResourcesTool']),
    });
    expect(tool).toMatchObject({ is_error: false, content: [{ text: 'Echo: hello' }] });
  });

  it('[MC61] the turn does not wait for ever: a server that is silent has failed, and the others work', async () => {
    const web = await serveGreeting();
    const mute = nodeServer('-e', ['setInterval(() => {}, 1000)']);
    const agent = await agentWith(
      { mute, web: { type: 'http', url: web.url('/mcp') } },
      { env: { MCP_TIMEOUT: '5000' } },
    );
    expect((await agent.turn('call mcp__web__greet {}')).tool).toMatchObject({ is_error: false });
    expect(lastInit(agent.messages).mcp_servers).toContainEqual({ name: 'mute', status: 'failed' });
    const { mcpServers } = await agent.peer.request({ subtype: 'mcp_status' });
    expect(mcpServers).toContainEqual(
      expect.objectContaining({ name: 'mute', error: expect.stringContaining('5000 ms') }),
    );
  });

  it('[MC62] a server that dies in a call is an error for the model, and init says so from then on', async () => {
    const agent = await agentWith({ odd: odd('serve', { TOKEN: 'token-abcdef' }) });
    const { tool, result } = await agent.turn('call mcp__odd__die {}');
    expect(tool).toMatchObject({ is_error: true, content: expect.stringContaining('and died') });
    expect(JSON.stringify(tool)).not.toContain('token-abcdef');
    expect(result).toMatchObject({ subtype: 'success' });
    await agent.turn('say hi');
    expect(lastInit(agent.messages).mcp_servers).toEqual([{ name: 'odd', status: 'failed' }]);
    await agent.peer.request({ subtype: 'mcp_reconnect', serverName: 'odd' });
    expect((await agent.turn('call mcp__odd__noise {}')).tool).toMatchObject({
      content: [{ text: 'quiet again' }],
    });
  });

  it('[MC63] an elicitation goes to the host, and its answer to the server', async () => {
    const agent = await agentWith({ every });
    const asked: JsonObject[] = [];
    agent.peer.handle('elicitation', (request) => {
      asked.push(request);
      return { action: 'accept', content: { name: 'Zoe', check: true } };
    });
    const { tool } = await agent.turn('call mcp__every__trigger-elicitation-request {}');
    expect(asked).toMatchObject([{ mcp_server_name: 'every', message: expect.any(String) }]);
    expect(JSON.stringify(tool.content)).toContain('Zoe');
  });

  it('[MC63] a host that cannot be asked is no consent', async () => {
    const agent = await agentWith({ every });
    const { tool } = await agent.turn('call mcp__every__trigger-elicitation-request {}');
    expect(JSON.stringify(tool.content)).not.toContain('provided the requested information');
  });

  it('[MC64] a tool of a server is asked for, even if the server says that it only reads', async () => {
    const asked: unknown[] = [];
    const onPermission = ({ tool_name }: JsonObject) => {
      asked.push(tool_name);
      return { behavior: 'deny', message: 'no' };
    };
    const agent = await agentWith(
      { every },
      { args: ['--allowedTools', 'mcp__every__get-sum'], onPermission },
    );
    expect((await agent.turn(ECHO)).tool).toMatchObject({ is_error: true, content: 'no' });
    expect((await agent.turn('call mcp__every__get-sum {"a":1,"b":2}')).tool).toMatchObject({
      is_error: false,
    });
    expect(asked).toEqual(['mcp__every__echo']);
  });

  it('[MC65] a permission tool is asked in place of the host; without it nothing is permitted', async () => {
    const servers = { odd: odd('serve') };
    const askedBy = (tool: string) => agentWith(servers, { args: ['--permission-prompt-tool', tool] });
    // This one answers with nothing that could be taken for a permission.
    const agent = await askedBy('mcp__odd__ask');
    expect((await agent.turn('run touch a')).tool).toMatchObject({ is_error: true });
    const lost = await askedBy('mcp__odd__nowhere');
    const { tool, result } = await lost.turn('run touch a');
    expect(tool).toMatchObject({ is_error: true, content: expect.stringContaining('nowhere') });
    expect(result).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
  });

  it('[MC66] a server in the host is there once the host has initialized', async () => {
    const agent = await agentInProject({ args: UNASKED });
    const called = shoutingHost(agent);
    await agent.peer.request({ subtype: 'initialize', sdkMcpServers: ['inner'] });
    expect((await agent.turn('call mcp__inner__shout {"words":"hello"}')).tool).toMatchObject({
      content: [{ text: 'HELLO' }],
    });
    expect(called.slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
  });

  it('[MC66] one that is named on the command line and again by the host works as well', async () => {
    const agent = await agentWith({ inner: { type: 'sdk', name: 'inner' } });
    shoutingHost(agent);
    await agent.peer.request({ subtype: 'initialize', sdkMcpServers: ['inner'] });
    expect((await agent.turn('call mcp__inner__shout {"words":"hello"}')).tool).toMatchObject({
      content: [{ text: 'HELLO' }],
    });
    expect(lastInit(agent.messages).mcp_servers).toEqual([{ name: 'inner', status: 'connected' }]);
  });

  it('[MC67] servers of a project are started only with trust; without it one line says so', async () => {
    const files = { 'repo/.mcp.json': JSON.stringify({ mcpServers: { every } }) };
    const stranger = await agentInProject({ files, isTrusted: false, args: UNASKED });
    await stranger.turn('say hi');
    expect(lastInit(stranger.messages).mcp_servers).toEqual([]);
    const { stderr } = await stranger.finish();
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/not trusted.*\.mcp\.json/)]);
    const settings = { 'home/.claude/settings.json': '{"enableAllProjectMcpServers":true}' };
    const friend = await agentInProject({ files: { ...files, ...settings }, args: UNASKED });
    expect((await friend.turn(ECHO)).tool).toMatchObject({ is_error: false });
  });

  it('[MC68] servers behind a URL and tools that a rule denies: the model is offered the rest', async () => {
    const web = await serveGreeting();
    const agent = await agentWith(
      { web: { type: 'http', url: web.url('/mcp') } },
      { args: [...UNASKED, '--disallowedTools', 'mcp__web__wait'] },
    );
    expect((await agent.turn('call mcp__web__greet {}')).tool).toMatchObject({
      content: [{ text: 'good day' }],
    });
    const offered: { name: string }[] = Object(agent.model.requests.at(-1)?.body).tools;
    const names = offered.map(({ name }) => name).filter((name) => name.startsWith('mcp__'));
    expect(names).toEqual(['mcp__web__greet']);
  });

  it('[MC69] an interrupt ends a call, and the session goes on', async () => {
    const web = await serveGreeting();
    const agent = await agentWith({ web: { type: 'http', url: web.url('/mcp') } });
    const turn = agent.turn('call mcp__web__wait {}');
    await expect.poll(() => web.waiting()).toBe(1);
    await agent.peer.request({ subtype: 'interrupt' });
    expect((await turn).result).toMatchObject({ subtype: 'error_during_execution' });
    expect((await agent.turn('say hi')).result).toMatchObject({ result: 'hi' });
  });
});
