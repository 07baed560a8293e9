import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ControlPeer, type JsonObject } from '@signalbox/protocol';
import { until } from '@signalbox/testing/until';
import { createMemoryPair } from '@signalbox/transport';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerMcp } from '../../src/control/answer-mcp.ts';
import type { McpServers } from '../../src/mcp/mcp-servers.ts';
import { oddServer, openServers, textOf } from './mcp-bench.ts';

/** A host with one MCP server of its own, `lab`, on the official library. */
async function openHost() {
  const server = new McpServer({ name: 'lab', version: '1' });
  const calls: string[] = [];
  server.registerTool('add', {}, () => ({ content: [{ type: 'text', text: '42' }] }));
  server.registerTool('wait', {}, ({ signal }) => {
    calls.push('wait');
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ content: [] }));
    });
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const answers = new Map<unknown, (message: JSONRPCMessage) => void>();
  const unasked: JSONRPCMessage[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport of the library has no other way
  near.onmessage = (message) => {
    const answer = 'id' in message && !('method' in message) ? answers.get(message.id) : undefined;
    if (answer) answer(message);
    else unasked.push(message);
  };
  await server.connect(far);
  const sent: JsonObject[] = [];
  const cancelled: unknown[] = [];
  /** As hosts do it: a request is answered in the control response, a notification with an empty result. */
  const sendToHost = async (name: string, message: JsonObject, signal?: AbortSignal): Promise<unknown> => {
    sent.push({ name, ...message });
    const answer = new Promise<JSONRPCMessage>((resolve, reject) => {
      answers.set(message.id, resolve);
      signal?.addEventListener('abort', () => {
        cancelled.push(message.id);
        reject(new Error('cancelled'));
      });
    });
    // It is JSON-RPC: the client's own library made it.
    await near.send(Object(message));
    return { mcp_response: message.id === undefined ? { jsonrpc: '2.0', result: {} } : await answer };
  };
  return { server, sent, unasked, cancelled, calls, sendToHost };
}

describe('an MCP server in the host', () => {
  it('[MC15] is reached by mcp_message, and speaks by itself', async () => {
    const host = await openHost();
    const { run, servers, toolNames, statusOf } = await openServers(
      { lab: { type: 'sdk', name: 'lab' } },
      { sendToHost: host.sendToHost },
    );
    expect(host.sent.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
    expect(host.sent[0]).toMatchObject({ name: 'lab', params: { capabilities: {} } });
    expect(textOf(await run('mcp__lab__add'))).toBe('42');
    expect(host.sent.at(-1)).toMatchObject({ params: { _meta: { 'claudecode/toolUseId': 'toolu_1' } } });
    expect(statusOf('lab')).toEqual({
      name: 'lab',
      status: 'connected',
      serverInfo: { name: 'lab', version: '1' },
      scope: 'cli',
      tools: [
        { name: 'add', annotations: {} },
        { name: 'wait', annotations: {} },
      ],
    });
    host.server.registerTool('late', {}, () => ({ content: [] }));
    await until(() => host.unasked.length > 0);
    for (const message of host.unasked) servers.receive('lab', { ...message });
    await until(() => toolNames().includes('mcp__lab__late'));
    expect(() => servers.receive('lab', { nonsense: true })).toThrow();
    expect(() => servers.receive('other', {})).toThrow('Server not found: other');
  });

  it('[MC15] need not answer what nobody waits for, and its refusal fails the call', async () => {
    const host = await openHost();
    let refusal: Error | undefined;
    const { run } = await openServers(
      { lab: { type: 'sdk', name: 'lab' } },
      {
        sendToHost: (name, message, signal) =>
          refusal ? Promise.reject(refusal) : host.sendToHost(name, message, signal),
      },
    );
    const turn = new AbortController();
    const call = run('mcp__lab__wait', {}, turn.signal);
    const failed = expect(call).rejects.toThrow('was stopped');
    await until(() => host.calls.length === 1);
    turn.abort();
    await failed;
    await until(() => host.cancelled.length === 1);
    expect(host.sent.at(-1)).toMatchObject({ method: 'notifications/cancelled' });
    refusal = new Error('the host is busy');
    await expect(run('mcp__lab__add')).rejects.toThrow('MCP server "lab" says: the host is busy');
  });
});

/** A host's end of the line to servers. */
function hostOf(servers: McpServers): ControlPeer {
  const pair = createMemoryPair();
  const agent = new ControlPeer(pair.left, {});
  const host = new ControlPeer(pair.right, {});
  answerMcp(agent, servers);
  void agent.run();
  void host.run();
  onTestFinished(() => pair.left.close());
  return host;
}

describe('a host', () => {
  it('[MC17] sees MCP servers, switches them off and on, and reconnects them', async () => {
    const { servers, run, toolNames } = await openServers({ odd: oddServer('plain') });
    const host = hostOf(servers);
    const status = async (): Promise<unknown> =>
      Object(Object((await host.request({ subtype: 'mcp_status' })).mcpServers)[0]).status;
    expect(await host.request({ subtype: 'mcp_status' })).toMatchObject({
      mcpServers: [{ name: 'odd', status: 'connected', serverInfo: { name: 'odd', version: '1.2.3' } }],
    });
    await host.request({ subtype: 'mcp_toggle', serverName: 'odd', enabled: false });
    expect([await status(), toolNames()]).toEqual(['disabled', []]);
    await expect(host.request({ subtype: 'mcp_reconnect', serverName: 'odd' })).rejects.toThrow('disabled');
    await host.request({ subtype: 'mcp_toggle', serverName: 'odd', enabled: true });
    expect(textOf(await run('mcp__odd__fail'))).toBe('it did not work');
    await host.request({ subtype: 'mcp_reconnect', serverName: 'odd' });
    expect(await status()).toBe('connected');
    for (const subtype of ['mcp_reconnect', 'mcp_toggle'])
      await expect(host.request({ subtype, serverName: 'x' })).rejects.toThrow('Server not found: x');
    await expect(host.request({ subtype: 'mcp_message', server_name: 'x', message: {} })).rejects.toThrow(
      'Server not found: x',
    );
  });

  it('[MC17] sets servers in place of those it set before, and hears what is wrong with them', async () => {
    const { servers, toolNames } = await openServers({ fixed: oddServer('plain') });
    const host = hostOf(servers);
    const set = (wanted: JsonObject): Promise<JsonObject> =>
      host.request({ subtype: 'mcp_set_servers', servers: wanted });
    const missing = { command: 'there-is-no-such-program' };
    expect(await set({ odd: oddServer('plain'), missing, wrong: { type: 'pigeon' } })).toEqual({
      added: ['odd', 'missing'],
      removed: [],
      errors: {
        missing: expect.stringContaining('Cannot start'),
        wrong: expect.stringContaining('"type" must be stdio, http, sse or sdk'),
      },
    });
    expect(toolNames()).toContain('mcp__odd__fail');
    expect(await set({ odd: oddServer('plain') })).toEqual({ added: [], removed: ['missing'], errors: {} });
    expect(await set({ odd: oddServer('names') })).toEqual({ added: ['odd'], removed: [], errors: {} });
    expect(await set({})).toEqual({ added: [], removed: ['odd'], errors: {} });
    expect(servers.statuses()).toMatchObject([{ name: 'fixed', status: 'connected' }]);
    await expect(set({ fixed: { command: 'false', args: 'no list' } })).resolves.toMatchObject({
      added: [],
      errors: { fixed: expect.stringContaining('"args" must be a list of texts') },
    });
  });
});
