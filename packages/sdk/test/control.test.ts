import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Query, query, type SpawnedProcess } from '../src/index.ts';
import { collect, fakeAgent, never, OBEDIENT, prompt } from './fake-agent.ts';

describe('steering', () => {
  const ASKED: [string, (conversation: Query) => Promise<unknown>, object][] = [
    ['interrupt', (q) => q.interrupt(), { subtype: 'interrupt' }],
    [
      'setPermissionMode',
      (q) => q.setPermissionMode('plan'),
      { subtype: 'set_permission_mode', mode: 'plan' },
    ],
    ['setModel', (q) => q.setModel('m'), { subtype: 'set_model', model: 'm' }],
    ['setModel to the default', (q) => q.setModel(), { subtype: 'set_model' }],
    [
      'setMaxThinkingTokens',
      (q) => q.setMaxThinkingTokens(null),
      { subtype: 'set_max_thinking_tokens', max_thinking_tokens: null },
    ],
    [
      'applyFlagSettings',
      (q) => q.applyFlagSettings({ a: 1 }),
      { subtype: 'apply_flag_settings', settings: { a: 1 } },
    ],
    ['mcpServerStatus', (q) => q.mcpServerStatus(), { subtype: 'mcp_status' }],
    ['reconnectMcpServer', (q) => q.reconnectMcpServer('s'), { subtype: 'mcp_reconnect', serverName: 's' }],
    [
      'toggleMcpServer',
      (q) => q.toggleMcpServer('s', false),
      { subtype: 'mcp_toggle', serverName: 's', enabled: false },
    ],
    [
      'setMcpServers',
      (q) => q.setMcpServers({ a: { command: 'x' } }),
      { subtype: 'mcp_set_servers', servers: { a: { command: 'x' } } },
    ],
    [
      'getContextUsage',
      (q) => q.getContextUsage({ detail: 'full' }),
      { subtype: 'get_context_usage', detail: 'full' },
    ],
    [
      'readFile',
      (q) => q.readFile('/f', { maxBytes: 3 }),
      { subtype: 'read_file', path: '/f', max_bytes: 3 },
    ],
    [
      'rewindFiles',
      (q) => q.rewindFiles('u', { dryRun: true }),
      { subtype: 'rewind_files', user_message_id: 'u', dry_run: true },
    ],
    ['stopTask', (q) => q.stopTask('t'), { subtype: 'stop_task', task_id: 't' }],
    ['backgroundTasks', (q) => q.backgroundTasks('t'), { subtype: 'background_tasks', tool_use_id: 't' }],
  ];

  it('[SD21] every method of a query asks the agent what it names', async () => {
    const agent = await fakeAgent(OBEDIENT);
    await using conversation = query({ prompt: never(), options: agent.options() });
    for (const [, call] of ASKED) await call(conversation);
    const asked = (await agent.log()).flatMap(({ heard }) => (heard?.request ? [heard.request] : []));
    expect(asked.slice(1)).toEqual(ASKED.map(([, , request]) => request));
  });

  it('[SD21] and gives back what it answers', async () => {
    const agent = await fakeAgent(`return {
      interrupt: (r) => answer(r, { still_queued: ['u'] }),
      mcp_status: (r) => answer(r, { mcpServers: [{ name: 's', status: 'connected' }] }),
      read_file: (r) => answer(r, { contents: 'text' }),
      rewind_files: (r) => answer(r, { canRewind: true, filesChanged: ['f'] }) };`);
    await using conversation = query({ prompt: never(), options: agent.options() });
    expect(await conversation.interrupt()).toEqual({ still_queued: ['u'] });
    expect(await conversation.mcpServerStatus()).toEqual([{ name: 's', status: 'connected' }]);
    expect(await conversation.readFile('/f')).toEqual({ contents: 'text' });
    expect(await conversation.rewindFiles('u')).toEqual({ canRewind: true, filesChanged: ['f'] });
    expect(await conversation.accountInfo()).toEqual({ email: 'e' });
    expect(await conversation.supportedCommands()).toEqual([
      { name: 'c', description: '', argumentHint: '' },
    ]);
    expect(await conversation.supportedModels()).toEqual([]);
    expect(await conversation.supportedAgents()).toEqual([]);
    expect(await conversation.initializationResult()).toMatchObject({ account: { email: 'e' } });
  });

  it('[SD21] a refusal is an error of the call alone', async () => {
    const agent = await fakeAgent(`return { set_model: (r) => refuse(r, 'no such model') };`);
    await using conversation = query({ prompt: never(), options: agent.options() });
    await expect(conversation.setModel('m')).rejects.toMatchObject({
      code: 'CONTROL_REFUSED',
      message: 'no such model',
    });
    await conversation.stopTask('t');
  });

  it('[SD21] a silence that lasts too long is an error of the call alone', async () => {
    const spawnClaudeCodeProcess = () => agentInThisProcess((subtype) => subtype !== 'mcp_status');
    const options = { spawnClaudeCodeProcess, controlTimeoutMs: 100 };
    await using conversation = query({ prompt: never(), options });
    await expect(conversation.mcpServerStatus()).rejects.toMatchObject({ code: 'CONTROL_TIMEOUT' });
    await conversation.stopTask('t');
  });

  it('[SD21] prompts can be sent into a running conversation', async () => {
    const agent = await fakeAgent(OBEDIENT);
    await using conversation = query({ prompt: never(), options: agent.options() });
    await conversation.next();
    async function* more() {
      yield prompt('more');
    }
    await conversation.streamInput(more());
    expect((await collect(conversation)).length).toBeLessThanOrEqual(1);
    expect((await agent.heard('user')).length).toBe(2);
  });

  it('[SD22] an agent that refuses initialize goes on, unless it would miss hooks or tools', async () => {
    const agent = await fakeAgent(
      `return { initialize: (r) => refuse(r, 'no'), user: () => setTimeout(result, 50) };`,
    );
    expect((await collect(query({ prompt: 'x', options: agent.options() }))).length).toBe(1);
    const hooks = { Stop: [{ hooks: [async () => ({})] }] };
    const watched = query({ prompt: never(), options: agent.options({ hooks }) });
    await expect(collect(watched)).rejects.toMatchObject({ code: 'CONTROL_REFUSED', message: 'no' });
  });

  it('[SD22] a hook that must block when it fails needs an agent that honours that', async () => {
    const agent = await fakeAgent(`return {};`);
    const hooks = { PreToolUse: [{ hooks: [async () => ({})], onFailure: 'block' as const }] };
    await expect(collect(query({ prompt: 'x', options: agent.options({ hooks }) }))).rejects.toMatchObject({
      code: 'CLI_CONNECTION',
      message: expect.stringContaining('onFailure'),
    });
  });
});

/**
 * An agent that answers before any timer of this process can fire, however busy the machine is; to a request for which `answers` is
 * false it says nothing.
 */
function agentInThisProcess(answers: (subtype: string) => boolean): SpawnedProcess {
  const agent = Object.assign(new EventEmitter(), {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    killed: false,
    exitCode: null,
    kill: () => true,
  });
  createInterface({ input: agent.stdin })
    .on('line', (line) => {
      const { type, request_id, request } = JSON.parse(line);
      if (type !== 'control_request' || !answers(request.subtype)) return;
      const response = { subtype: 'success', request_id, response: {} };
      agent.stdout.write(`${JSON.stringify({ type: 'control_response', response })}\n`);
    })
    .on('close', () => {
      agent.stdout.end();
      agent.emit('exit', 0, null);
    });
  return agent;
}
