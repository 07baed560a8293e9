import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { createSdkMcpServer, type McpServerConfig, query, tool } from '../src/index.ts';
import { collect, fakeAgent, never } from './fake-agent.ts';
import { bundleSdk } from './host-program.ts';

const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};

/** Lets an agent send these messages to the server `s`, one after the other; returns the answers. */
async function talk(servers: Record<string, McpServerConfig>, ...messages: object[]) {
  const agent = await fakeAgent(`
    const left = ${JSON.stringify([INITIALIZE, { method: 'notifications/initialized' }, ...messages])};
    const next = () => {
      const message = left.shift();
      if (message) ask(String(left.length), { subtype: 'mcp_message', server_name: 's', message: { jsonrpc: '2.0', ...message } });
      else result();
    };
    return { user: next, control_response: next };`);
  await collect(query({ prompt: 'x', options: agent.options({ mcpServers: servers }) }));
  const answers = await agent.heard('control_response');
  return answers.map(({ response }) => {
    expect(response).toMatchObject({ subtype: 'success' });
    return Object(response).response.mcp_response;
  });
}

const call = (id: number, name: string, args: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

const add = tool(
  'add',
  'adds two numbers',
  { a: z.number(), b: z.number() },
  async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  { annotations: { readOnlyHint: true }, searchHint: 'sum', alwaysLoad: true },
);

describe('MCP servers in this process', () => {
  it('[SD28] a tool is listed with its schema and called with checked arguments', async () => {
    const boom = tool('boom', 'fails', {}, async () => {
      throw new Error('tool fault');
    });
    const s = createSdkMcpServer({
      name: 'sums',
      version: '3.2.1',
      tools: [add, boom],
      instructions: 'Add.',
    });
    const [hello, noted, list, sum, wrong, failed] = await talk(
      { s },
      { id: 1, method: 'tools/list' },
      call(2, 'add', { a: 1, b: 2 }),
      call(3, 'add', { a: 'x' }),
      call(4, 'boom', {}),
    );
    expect(hello).toMatchObject({
      id: 0,
      result: { serverInfo: { name: 'sums', version: '3.2.1' }, instructions: 'Add.' },
    });
    expect(noted).toEqual({ jsonrpc: '2.0', result: {}, id: 0 });
    expect(list).toMatchObject({
      id: 1,
      result: {
        tools: [
          {
            name: 'add',
            description: 'adds two numbers',
            inputSchema: { properties: { a: { type: 'number' } }, required: ['a', 'b'] },
            annotations: { readOnlyHint: true },
            _meta: { 'anthropic/searchHint': 'sum', 'anthropic/alwaysLoad': true },
          },
          { name: 'boom' },
        ],
      },
    });
    expect(sum).toMatchObject({ id: 2, result: { content: [{ type: 'text', text: '3' }] } });
    expect(wrong).toMatchObject({ id: 3, result: { isError: true } });
    expect(failed).toMatchObject({ id: 4, result: { isError: true, content: [{ text: 'tool fault' }] } });
  });

  it('[SD28] resources and prompts are registered on the instance', async () => {
    const s = createSdkMcpServer({ name: 'docs' });
    s.instance.registerResource('note', 'note://1', { title: 'Note' }, async (uri) => ({
      contents: [{ uri: uri.href, text: 'hello' }],
    }));
    s.instance.registerPrompt('greet', { argsSchema: { who: z.string() } }, ({ who }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}` } }],
    }));
    const [, , resource, greeting] = await talk(
      { s },
      { id: 1, method: 'resources/read', params: { uri: 'note://1' } },
      { id: 2, method: 'prompts/get', params: { name: 'greet', arguments: { who: 'Ada' } } },
    );
    expect(resource).toMatchObject({ result: { contents: [{ text: 'hello' }] } });
    expect(greeting).toMatchObject({ result: { messages: [{ content: { text: 'Greet Ada' } }] } });
  });

  it('[SD29] a server or a method that is not there is -32601, a server that fails is -32603', async () => {
    const s = createSdkMcpServer({ name: 'bare' });
    const [, , unknown] = await talk({ s }, { id: 9, method: 'no/such' });
    expect(unknown).toMatchObject({ id: 9, error: { code: -32601 } });
    const [missing] = await talk({});
    expect(missing).toEqual({
      jsonrpc: '2.0',
      id: 0,
      error: { code: -32601, message: "Server 's' not found" },
    });
    const broken = new McpServer({ name: 'broken', version: '1' });
    broken.connect = () => Promise.reject(new Error('no connection'));
    const [failed] = await talk({ s: { type: 'sdk', name: 's', instance: broken } });
    expect(failed).toMatchObject({ id: 0, error: { code: -32603, message: 'no connection' } });
  });

  it('[SD30] one server serves conversations at the same time and one after the other', async () => {
    const s = createSdkMcpServer({ name: 'sums', tools: [add] });
    const sums = async (a: number) => (await talk({ s }, call(1, 'add', { a, b: 1 })))[2];
    const together = await Promise.all([sums(1), sums(2), sums(3)]);
    const later = await sums(4);
    expect([...together, later].map((answer) => answer.result.content[0].text)).toEqual(['2', '3', '4', '5']);
  });

  it('[SD30] a call that the agent takes back is cancelled', async () => {
    const agent = await fakeAgent(`
      const say = (id, message) => ask(id, { subtype: 'mcp_message', server_name: 's', message: { jsonrpc: '2.0', ...message } });
      return { user: () => { say('i', ${JSON.stringify(INITIALIZE)}); say('c', ${JSON.stringify(call(1, 'wait', {}))}); },
        stop_task: (request) => { out({ type: 'control_cancel_request', request_id: 'c' }); answer(request, {}); } };`);
    const events: string[] = [];
    const wait = tool('wait', 'waits', {}, async (_args, extra) => {
      const { signal }: { signal: AbortSignal } = Object(extra);
      signal.addEventListener('abort', () => events.push('aborted'));
      events.push('called');
      return new Promise(() => {});
    });
    const mcpServers = { s: createSdkMcpServer({ name: 's', tools: [wait] }) };
    await using conversation = query({ prompt: never(), options: agent.options({ mcpServers }) });
    await expect.poll(() => events).toEqual(['called']);
    await conversation.stopTask('t');
    await expect.poll(() => events).toEqual(['called', 'aborted']);
  });

  it('[SD30] servers can be set anew while the conversation runs', async () => {
    const agent = await fakeAgent(`return {
      mcp_set_servers: (request) => { answer(request, { added: ['s'], removed: [], errors: {} });
        ask('q', { subtype: 'mcp_message', server_name: 's', message: { jsonrpc: '2.0', ...${JSON.stringify(INITIALIZE)} } }); },
      control_response: () => result() };`);
    await using running = query({ prompt: never(), options: agent.options() });
    const s = createSdkMcpServer({ name: 'late', tools: [add] });
    expect(await running.setMcpServers({ s, o: { command: 'x' } })).toMatchObject({ added: ['s'] });
    await running.next();
    expect((await agent.heard('mcp_set_servers'))[0]).toMatchObject({
      servers: { s: { type: 'sdk', name: 's' }, o: { command: 'x' } },
    });
    expect((await agent.heard('control_response'))[0]).toMatchObject({
      response: { response: { mcp_response: { result: { serverInfo: { name: 'late' } } } } },
    });
  });

  it('[SD31] importing the package loads no MCP library, and creating a server does not either', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-sdk-import-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const sdk = join(folder, 'sdk.mjs');
    await bundleSdk(sdk);
    const program = `
      const { createSdkMcpServer } = await import(${JSON.stringify(pathToFileURL(sdk).href)});
      createSdkMcpServer({ name: 's' });
      console.log('created');`;
    // The library cannot even be found from there.
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
    });
    expect(stdout).toBe('created\n');
  });
});
