import type { AgentMessage } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { type DrivenAgent, driveAgent, isResult } from './drive-agent.ts';

const ANY = expect.anything();

function systemOf(agent: DrivenAgent, subtype: string): AgentMessage[] {
  return agent.messages.filter((message) => message.type === 'system' && message.subtype === subtype);
}

/** Say a prompt, and wait for its result. */
async function turn(agent: DrivenAgent, prompt: string, fields = {}): Promise<AgentMessage> {
  const mark = agent.messages.length;
  await agent.say(prompt, fields);
  return agent.next(isResult, mark);
}

function resultsOfTools(agent: DrivenAgent): AgentMessage[] {
  return agent.messages.filter((message) => message.type === 'user' && message.tool_use_result !== undefined);
}

describe('what hosts can read from messages', () => {
  it('[AG880] a tool result says who decided about the call, and why it was not made', async () => {
    const agent = await driveAgent({
      args: ['--permission-prompt-tool', 'stdio', '--disallowedTools', 'Bash(rm:*)'],
    });
    agent.peer.handle('can_use_tool', ({ input }) => {
      const asked = JSON.stringify(input);
      if (asked.includes('yes')) return { behavior: 'allow', updatedInput: input };
      return { behavior: 'deny', message: 'no', interrupt: asked.includes('stop') };
    });
    for (const prompt of ['run echo free', 'run touch yes', 'run touch no', 'run rm x', 'run touch stop'])
      await turn(agent, prompt);
    const id = expect.any(String);
    expect(resultsOfTools(agent)).toMatchObject([
      { tool_result_meta: [{ id, permission_decision: { decision: 'accept', source: 'config' } }] },
      { tool_result_meta: [{ id, permission_decision: { decision: 'accept', source: 'user_temporary' } }] },
      {
        tool_result_meta: [
          {
            id,
            non_execution_kind: 'permission-rule',
            permission_decision: { decision: 'reject', source: 'user_reject' },
          },
        ],
      },
      {
        tool_result_meta: [
          {
            id,
            non_execution_kind: 'permission-rule',
            permission_decision: { decision: 'reject', source: 'config', reason_type: 'rule' },
          },
        ],
      },
      {
        tool_use_result: 'User rejected tool use',
        tool_result_meta: [{ id, non_execution_kind: 'user-rejected' }],
      },
    ]);
    expect(systemOf(agent, 'permission_denied')).toMatchObject([
      { tool_name: 'Bash', tool_use_id: id, decision_reason_type: 'rule' },
    ]);
  });

  it('[AG881] messages say when they were said and which prompt they answer', async () => {
    const agent = await driveAgent({ args: ['--include-partial-messages'] });
    const uuid = crypto.randomUUID();
    const names = { user_message_uuid: uuid, user_message_uuids: [uuid] };
    expect(await turn(agent, 'run echo hi', { uuid })).toMatchObject({ ...names, queued_turn_count: 0 });
    const said = agent.messages.filter(({ type }) => type === 'assistant');
    expect(said[0]).toMatchObject({ ...names, timestamp: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(said[1]).not.toHaveProperty('user_message_uuid');
    expect(resultsOfTools(agent)[0]).toMatchObject({ timestamp: expect.any(String) });
    expect(systemOf(agent, 'init')[0]).toMatchObject({ user_message_uuids: [uuid] });
    expect(systemOf(agent, 'status')).toMatchObject([
      { status: 'requesting', user_message_uuids: [uuid] },
      { status: 'requesting' },
    ]);
    const start = agent.messages.find((message) => message.type === 'stream_event');
    expect(start).toMatchObject({ ...names, ttft_ms: expect.any(Number), api_message_id: ANY });
  });

  it('[AG882] a host hears what becomes of each prompt that it gave a name', async () => {
    const agent = await driveAgent();
    const [stopped, dropped, answered] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    await agent.say('slow 5000', { uuid: stopped });
    await agent.next((message) => message.type === 'system');
    await agent.say('say dropped', { uuid: dropped });
    await agent.peer.request({ subtype: 'cancel_async_message', message_uuid: dropped });
    await agent.peer.request({ subtype: 'interrupt' });
    await agent.next(isResult);
    await turn(agent, 'say unnamed');
    await turn(agent, 'say answered', { uuid: answered });
    await agent.finish();
    const told = agent.messages.flatMap((message) =>
      message.type === 'command_lifecycle' ? [`${message.command_uuid} ${message.state}`] : [],
    );
    expect(told).toEqual([
      `${stopped} queued`,
      `${stopped} started`,
      `${dropped} queued`,
      `${dropped} cancelled`,
      `${stopped} cancelled`,
      `${answered} queued`,
      `${answered} started`,
      `${answered} completed`,
    ]);
  });

  it('[AG883] a result has all that the API counted, what is new since the last one, and when the first word came', async () => {
    const agent = await driveAgent();
    const usage = {
      input_tokens: 100_000,
      output_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 200_000,
      cache_creation: { ephemeral_5m_input_tokens: 100_000, ephemeral_1h_input_tokens: 100_000 },
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
      output_tokens_details: { thinking_tokens: 7 },
    };
    await agent.model.setScenario({ name: 'counted', turns: [{ say: ['hi'], usage }] });
    await turn(agent, 'one');
    const result = await turn(agent, 'two');
    // Input for $2 a million, written for five minutes for $2.50, for an hour for $4; twice.
    expect(result).toMatchObject({
      total_cost_usd: expect.closeTo(1.7),
      usage: { ...usage, service_tier: 'standard' },
      modelUsage: {
        'claude-sonnet-5-5': {
          cacheCreationEphemeral5mInputTokens: 200_000,
          cacheCreationEphemeral1hInputTokens: 200_000,
          webSearchRequests: 4,
          thinkingTokens: 14,
          canonicalModel: 'claude-sonnet-5-5',
          costBasis: 'list',
        },
      },
      model_usage_since_last_result: {
        'claude-sonnet-5-5': { costUSD: expect.closeTo(0.85), inputTokens: 100_000 },
      },
      result_index: 1,
      api_error_status: null,
      ttft_ms: expect.any(Number),
      time_to_request_ms: expect.any(Number),
      first_request_input_tokens: 300_000,
    });
  });

  it('[AG884] a resumed session goes on with its bill, and a budget is for what comes', async () => {
    const first = await driveAgent({ args: ['--dangerously-skip-permissions'] });
    const usage = { input_tokens: 1_000_000, output_tokens: 0, cache_creation_input_tokens: 0 };
    const scenario = {
      name: 'dear',
      turns: [{ say: ['hi'], usage: { ...usage, cache_read_input_tokens: 0 } }],
    };
    await first.model.setScenario(scenario);
    const { session_id, total_cost_usd } = Object(await turn(first, 'one'));
    expect(total_cost_usd).toBe(2);
    await first.finish();
    const again = await driveAgent({
      args: ['--resume', String(session_id), '--max-budget-usd', '2.5'],
      folder: first.folder,
    });
    await again.model.setScenario(scenario);
    expect(await turn(again, 'two')).toMatchObject({
      subtype: 'success',
      total_cost_usd: 4,
      model_usage_since_last_result: { 'claude-sonnet-5-5': { costUSD: 2 } },
    });
  });

  it('[AG885] hooks hear which prompt it is about, how long a tool took, and what runs in the background', async () => {
    const agent = await driveAgent({ args: ['--dangerously-skip-permissions'] });
    const heard: Record<string, unknown>[] = [];
    agent.peer.handle('hook_callback', ({ input }) => {
      heard.push({ ...Object(input) });
      return {};
    });
    const rules = ['PreToolUse', 'PostToolUse', 'Stop'].map((event) => [
      event,
      [{ hookCallbackIds: [event] }],
    ]);
    await agent.peer.request({ subtype: 'initialize', hooks: Object.fromEntries(rules) });
    const input = { command: 'sleep 60', description: 'waits', run_in_background: true };
    await turn(agent, `call Bash ${JSON.stringify(input)}`);
    const prompt_id = heard[0]?.['prompt_id'];
    expect(prompt_id).toEqual(expect.any(String));
    expect(heard).toMatchObject([
      { hook_event_name: 'PreToolUse', prompt_id },
      { hook_event_name: 'PostToolUse', prompt_id, duration_ms: expect.any(Number) },
      {
        hook_event_name: 'Stop',
        prompt_id,
        background_tasks: [{ type: 'shell', command: 'sleep 60', description: 'waits', status: 'running' }],
      },
    ]);
    await turn(agent, 'say next');
    expect(heard.at(-1)?.['prompt_id']).not.toBe(prompt_id);
  });

  it('[AG886] hosts hear what runs in the background, how it ends, and how sub-agents fared', async () => {
    const agent = await driveAgent({ args: ['--dangerously-skip-permissions'] });
    await turn(agent, `call Bash ${JSON.stringify({ command: 'exit 3', run_in_background: true })}`);
    await agent.next((message) => message.type === 'system' && message.subtype === 'task_notification');
    expect(systemOf(agent, 'task_started')).toMatchObject([{ task_type: 'local_bash' }]);
    expect(systemOf(agent, 'task_updated')).toMatchObject([{ patch: { status: 'failed', end_time: ANY } }]);
    expect(systemOf(agent, 'background_tasks_changed')[0]).toMatchObject({
      tasks: [{ task_type: 'local_bash' }],
    });
    const task = { description: 'a part', subagent_type: 'general-purpose', prompt: 'say below' };
    const mark = agent.messages.length;
    await agent.say(`call Task ${JSON.stringify(task)}`);
    const result = await agent.next((message) => isResult(message) && !('origin' in message), mark);
    expect(result).toMatchObject({
      subagent_stats: {
        spawned: 1,
        requested: { unset: 1 },
        completed: 1,
        failed: 0,
        by_type: { 'general-purpose': 1 },
      },
    });
  });

  it('[AG887] what the API refuses is named in the message and in the result', async () => {
    const agent = await driveAgent();
    agent.model.injectFault({ kind: 'status', status: 400 });
    const error = { api_error_status: 400, api_error_type: 'invalid_request_error' };
    expect(await turn(agent, 'say hi')).toMatchObject({ ...error, is_error: true });
    const said = agent.messages.find(({ type }) => type === 'assistant');
    expect(said).toMatchObject({ ...error, is_api_error_message: true });
  });

  it('[AG888] an assistant message has `replace_all: false` where the model left it out', async () => {
    const agent = await driveAgent({ args: ['--dangerously-skip-permissions'] });
    await turn(agent, 'edit relative.txt a=>b');
    const call = agent.messages.find((message) => JSON.stringify(message).includes('"name":"Edit"'));
    expect(call).toMatchObject({
      message: { content: [{ input: { file_path: 'relative.txt', replace_all: false } }] },
    });
  });
});
