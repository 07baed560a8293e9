import { LIMITS } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { PromptQueue } from '../src/io/prompt-queue.ts';
import { agentInProject } from './agent-in-project.ts';
import { driveAgent, isResult } from './drive-agent.ts';

describe('control requests', () => {
  it('[AG19] are answered about models, cost, context, rules and tasks', async () => {
    const agent = await driveAgent({ args: ['--allowedTools', 'Bash(ls:*)', '--model', 'haiku'] });
    await agent.say('say hi');
    const result = await agent.next(isResult);
    const ask = (subtype: string, more = {}) => agent.peer.request({ subtype, ...more });
    expect(await ask('list_models')).toMatchObject({ models: [{ value: 'default' }, {}, {}, {}, {}] });
    expect(await ask('get_session_cost')).toMatchObject({
      total_cost_usd: result.type === 'result' ? result.total_cost_usd : undefined,
    });
    expect(await ask('list_permission_rules')).toMatchObject({
      mode: 'default',
      allow: ['Bash(ls:*)'],
      deny: [],
    });
    const usage = await ask('get_context_usage');
    expect(usage).toMatchObject({ maxTokens: 1_000_000, model: expect.stringContaining('haiku') });
    expect(usage.totalTokens).toBeGreaterThan(0);
    expect(await ask('background_tasks')).toEqual({ tasks: [] });
    await expect(ask('stop_task', { task_id: 'x' })).rejects.toThrow('No task found with ID: x');
  });

  it('[AG703] tell which model each name stands for, what it costs and how hard it can try', async () => {
    const agent = await driveAgent({ args: ['--model', 'old-model'] });
    const { models } = await agent.peer.request({ subtype: 'initialize' });
    expect(models).toEqual((await agent.peer.request({ subtype: 'list_models' })).models);
    const [initial, ...others] = [models].flat().map(Object);
    expect(initial).toMatchObject({ value: 'default', resolvedModel: 'old-model' });
    expect(initial).not.toHaveProperty('supportsEffort');
    expect(others.map(({ value }) => value)).toEqual(['opus', 'fable', 'sonnet', 'haiku']);
    for (const model of others)
      expect(model).toMatchObject({
        resolvedModel: expect.stringContaining(`claude-${model.value}-`),
        description: expect.stringMatching(/ · \$[\d.]+\/\$[\d.]+ per Mtok$/),
        supportsEffort: true,
        supportedEffortLevels: ['low', 'medium', 'high', 'xhigh', 'max'],
      });
  });

  it('[AG704] tell what fills the context, part by part, with what is kept for a compaction, and as a picture', async () => {
    const agent = await agentInProject({ files: { 'repo/CLAUDE.md': 'be kind to everybody' } });
    await agent.say('say hi');
    const { usage: counted } = Object(await agent.next(isResult));
    const usage = await agent.peer.request({ subtype: 'get_context_usage' });
    expect(usage).toMatchObject({
      maxTokens: 1_000_000,
      rawMaxTokens: 1_000_000,
      autoCompactThreshold: 967_000,
      isAutoCompactEnabled: true,
      memoryFiles: [{ path: expect.stringContaining('CLAUDE.md'), type: 'Project', tokens: 5 }],
      mcpTools: [],
      agents: [],
      apiUsage: { output_tokens: counted.output_tokens },
    });
    const rows = [usage.categories].flat().map(Object);
    expect(rows.map(({ id, kind }) => [id, kind])).toEqual([
      ['system_prompt', 'used'],
      ['system_tools', 'used'],
      ['memory_files', 'used'],
      ['messages', 'used'],
      ['autocompact_buffer', 'buffer'],
      ['free_space', 'free'],
    ]);
    expect(rows.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(1_000_000);
    const grid = [usage.gridRows].flat().map(Object);
    expect(grid.map((line) => line.length)).toEqual(Array.from({ length: 10 }, () => 20));
    expect(new Set(grid.flat().map(({ categoryName }) => categoryName))).toEqual(
      new Set(rows.map(({ name }) => name)),
    );
  });

  it('[AG19] about MCP servers say that there are none', async () => {
    const agent = await driveAgent();
    const ask = (subtype: string, more = {}) => agent.peer.request({ subtype, ...more });
    expect(await ask('mcp_status')).toEqual({ mcpServers: [] });
    await expect(ask('mcp_reconnect', { serverName: 'x' })).rejects.toThrow('Server not found: x');
    await expect(ask('mcp_toggle', { serverName: 'x', enabled: false })).rejects.toThrow(
      'Server not found: x',
    );
    expect(await ask('mcp_set_servers', { servers: { x: { command: '/not/there' } } })).toMatchObject({
      added: ['x'],
      errors: { x: expect.stringContaining('/not/there') },
    });
  });

  it('[AG20] show, cancel and drop prompts that wait', async () => {
    const agent = await driveAgent();
    const [running, first, second] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    await agent.say('slow 5000', { uuid: running });
    await agent.next((message) => message.type === 'system');
    await agent.say('say first', { uuid: first });
    await agent.say('say second', { uuid: second });
    expect(await agent.peer.request({ subtype: 'cancel_async_message', message_uuid: first })).toEqual({
      cancelled: true,
    });
    expect(await agent.peer.request({ subtype: 'cancel_async_message', message_uuid: first })).toEqual({
      cancelled: false,
    });
    expect(await agent.peer.request({ subtype: 'interrupt' })).toEqual({ still_queued: [second] });
    expect(await agent.next((message) => isResult(message) && 'result' in message)).toMatchObject({
      result: 'second',
    });
    expect((await agent.finish()).code).toBe(0);
    expect(JSON.stringify(agent.messages)).not.toContain('"first"');
  });

  it('[AG20] an interrupt may drop everything that waits', async () => {
    const agent = await driveAgent();
    const waiting = crypto.randomUUID();
    await agent.say('slow 5000');
    await agent.next((message) => message.type === 'system');
    await agent.say('say never', { uuid: waiting });
    expect(await agent.peer.request({ subtype: 'interrupt', cancel_queued: true })).toEqual({
      still_queued: [],
      cancelled: [waiting],
    });
    await agent.finish();
    expect(agent.messages.filter(isResult)).toHaveLength(1);
  });

  it('[AG586] a prompt too many is not taken, and the host is told which; the others are', async () => {
    const agent = await driveAgent();
    await agent.say('slow 5000');
    await agent.next((message) => message.type === 'system');
    for (let n = 0; n < LIMITS.queuedPrompts.most; n += 1) await agent.say('/cost');
    const uuid = crypto.randomUUID();
    await agent.say('say never', { uuid });
    const told = await agent.next(
      (message) => message.type === 'system' && message.subtype === 'informational',
    );
    expect(told).toMatchObject({ content: expect.stringMatching(`PROMPT_QUEUE_FULL.*${uuid}`) });
    expect(await agent.peer.request({ subtype: 'interrupt', cancel_queued: true })).toMatchObject({
      cancelled: { length: LIMITS.queuedPrompts.most },
    });
    await agent.say('say again', { uuid });
    expect(await agent.next((message) => isResult(message) && 'result' in message)).toMatchObject({
      result: 'again',
    });
  });

  it('[AG586] what waits may not be longer than a limit, but one prompt alone may', () => {
    const prompts = new PromptQueue();
    const message = { role: 'user' as const, content: 'x'.repeat(LIMITS.queuedPromptBytes.most / 2) };
    const long = { type: 'user' as const, message, parent_tool_use_id: null, session_id: '' };
    expect(prompts.add(long)).toBe(true);
    expect(() => prompts.add(long)).toThrow('Too many prompts wait');
  });
});
