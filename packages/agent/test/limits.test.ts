import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../src/command-line/agent-options.ts';
import { printedOutput } from '../src/io/output.ts';
import { type DrivenAgent, driveAgent, isResult } from './drive-agent.ts';

function retries(agent: DrivenAgent): unknown[] {
  return agent.messages.filter((message) => message.type === 'system' && message.subtype === 'api_retry');
}

describe('when the API fails', () => {
  it('[AG14] tries again after a passing failure, and tells the host each time', async () => {
    const agent = await driveAgent();
    agent.model.injectFault({ kind: 'status', status: 429, retry_after_s: 0.01 });
    agent.model.injectFault({ kind: 'status', status: 500 });
    await agent.say('say at last');
    expect(await agent.next(isResult)).toMatchObject({ subtype: 'success', result: 'at last' });
    expect(retries(agent)).toMatchObject([
      { attempt: 1, retry_delay_ms: 10, error_status: 429, error: 'rate_limit' },
      { attempt: 2, error_status: 500, error: 'server_error' },
    ]);
  });

  it('[AG14] gives up when the retries are used up', async () => {
    const agent = await driveAgent({ env: { CLAUDE_CODE_MAX_RETRIES: '1' } });
    agent.model.injectFault({ kind: 'status', status: 503, retry_after_s: 0, first: 5 });
    await agent.say('say never');
    expect(await agent.next(isResult)).toMatchObject({
      is_error: true,
      result: expect.stringContaining('503'),
    });
    expect(retries(agent)).toHaveLength(1);
    expect((await agent.finish()).code).toBe(1);
  });

  it('[AG14] does not try again what cannot get better', async () => {
    const agent = await driveAgent();
    agent.model.injectFault({ kind: 'status', status: 401, message: 'invalid x-api-key' });
    await agent.say('say never');
    expect(await agent.next(isResult)).toMatchObject({
      is_error: true,
      result: expect.stringContaining('401'),
    });
    expect(retries(agent)).toEqual([]);
    const after = agent.messages.length;
    await agent.say('say fine now');
    expect(await agent.next(isResult, after)).toMatchObject({ result: 'fine now' });
  });

  it.each([
    [402, 'payment required'],
    [400, 'Your credit balance is too low to access the API.'],
  ])('[AG511] an account without credit is a billing error (%i %s)', async (status, message) => {
    const agent = await driveAgent();
    agent.model.injectFault({ kind: 'status', status, message });
    await agent.say('say never');
    await agent.next(isResult);
    expect(agent.messages.find(({ type }) => type === 'assistant')).toMatchObject({ error: 'billing_error' });
    expect(retries(agent)).toEqual([]);
  });

  it.each([
    { kind: 'cut', after: 5 },
    { kind: 'malformed', after: 5 },
    { kind: 'error', after: 5 },
  ] as const)(
    '[AG15] ends the turn clearly after a $kind in mid-reply, shows nothing twice, and goes on',
    async (fault) => {
      const agent = await driveAgent({ args: ['--include-partial-messages'] });
      agent.model.injectFault(fault);
      await agent.say('say one two three four five');
      expect(await agent.next(isResult)).toMatchObject({
        is_error: true,
        result: expect.stringContaining('API Error'),
      });
      const starts = agent.messages.filter(
        (message) => message.type === 'stream_event' && message.event.type === 'message_start',
      );
      expect(starts).toHaveLength(1);
      const after = agent.messages.length;
      await agent.say('say better');
      expect(await agent.next(isResult, after)).toMatchObject({ result: 'better' });
    },
  );

  it('[AG16] asks the fallback model when the first stays overloaded', async () => {
    const agent = await driveAgent({ args: ['--model', 'opus', '--fallback-model', 'haiku'] });
    agent.model.injectFault({ kind: 'status', status: 529, retry_after_s: 0, first: 3 });
    await agent.say('say from the other');
    expect(await agent.next(isResult)).toMatchObject({ result: 'from the other' });
    expect(agent.model.requests.at(-1)?.body).toMatchObject({ model: expect.stringContaining('haiku') });
  });
});

describe('limits', () => {
  it('[AG17] stops at --max-turns and at --max-budget-usd, with exit code 1', async () => {
    const turns = await driveAgent({ args: ['--max-turns=1', '--dangerously-skip-permissions'] });
    await turns.say('run echo hi');
    expect(await turns.next(isResult)).toMatchObject({
      subtype: 'error_max_turns',
      errors: ['Reached maximum number of turns (1)'],
      num_turns: 2,
    });
    expect((await turns.finish()).code).toBe(1);
    const budget = await driveAgent({
      args: ['--max-budget-usd', '0.0000001', '--dangerously-skip-permissions'],
    });
    await budget.say('run echo hi');
    expect(await budget.next(isResult)).toMatchObject({ subtype: 'error_max_budget_usd' });
    expect(budget.messages.filter(({ type }) => type === 'user')).toEqual([]);
  });

  it.each([
    [{ subtype: 'error_max_turns', errors: [] }, 'Error: Reached max turns (3)'],
    [{ subtype: 'error_max_budget_usd', errors: [] }, 'Error: Exceeded USD budget (0.5)'],
    [{ subtype: 'error_during_execution', errors: ['why'] }, 'Execution error\nwhy'],
  ])('[AG512] are named in a printed text: %o', async (result, text) => {
    const printed: string[] = [];
    const options = readCommandLine(['-p', 'x', '--max-turns=3', '--max-budget-usd=0.5']);
    if (options.wants !== 'session') throw new Error('no session');
    const output = printedOutput(options, async (words) => void printed.push(words));
    await output.write(Object({ type: 'result', ...result }));
    await output.finish();
    expect(printed).toEqual([`${text}\n`]);
  });

  it('[AG18] asks for prompt caching, thinking, betas and effort as it is told', async () => {
    const agent = await driveAgent({
      args: [
        '--max-thinking-tokens',
        '2000',
        '--betas',
        'context-1m-2025-08-07',
        '--effort=high',
        '--tools',
        'Read',
      ],
    });
    await agent.say('say hi');
    await agent.next(isResult);
    const request = agent.model.requests.at(-1);
    expect(request?.body).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 2000 },
      output_config: { effort: 'high' },
      tools: [{ name: 'Read' }],
      system: [{ cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: [{ text: 'say hi', cache_control: { type: 'ephemeral' } }] }],
    });
    expect(request?.headers['anthropic-beta']).toContain('context-1m-2025-08-07');
    await agent.peer.request({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 0 });
    await agent.peer.request({ subtype: 'set_model', model: 'haiku' });
    const after = agent.messages.length;
    await agent.say('say more');
    await agent.next(isResult, after);
    expect(agent.model.requests.at(-1)?.body).toMatchObject({ model: expect.stringContaining('haiku') });
    expect(agent.model.requests.at(-1)?.body).not.toHaveProperty('thinking');
  });
});
