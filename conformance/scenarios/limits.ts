import type { FaultInput, ScenarioInput } from '@signalbox/model';
import { check, checkFits } from '../check.ts';
import { blocksOfType, fieldsOf, kindOf } from '../messages.ts';
import { UNASKED } from '../prompts.ts';
import type { Part, Scenario } from '../scenario.ts';

const RESTLESS: ScenarioInput = {
  name: 'restless',
  turns: [
    {
      when: 'any',
      say: [{ tool: 'Bash', input: { command: 'true', description: 'do nothing' } }],
      usage: { input_tokens: 100, output_tokens: 10_000 },
    },
  ],
};

const COUNTED: ScenarioInput = {
  name: 'counted',
  turns: [
    { when: { tool_result: {} }, say: ['done'], usage: { input_tokens: 300, output_tokens: 30 } },
    {
      when: 'any',
      say: [{ tool: 'Bash', input: { command: 'true', description: 'do nothing' } }],
      usage: { input_tokens: 100, output_tokens: 10 },
    },
  ],
};

function survives(what: string, fault: FaultInput): Scenario {
  return {
    name: `tries again after ${what}`,
    async play(stage) {
      const agent = await stage.start();
      stage.model.injectFault(fault);
      checkFits((await agent.turn('say at last')).result, {
        subtype: 'success',
        is_error: false,
        result: 'at last',
      });
      check(stage.requests().length === 2, `the model was asked ${stage.requests().length} times`);
    },
  };
}

export const limits: Part = {
  title: 'Limits, costs and failures of the API',
  scenarios: [
    {
      name: '--max-turns ends the turn with its own subtype',
      async play(stage) {
        const agent = await stage.start({ args: [...UNASKED, '--max-turns', '2'] });
        await stage.script(RESTLESS);
        checkFits((await agent.turn('go')).result, { subtype: 'error_max_turns' });
        check(stage.requests().length === 2, `the model was asked ${stage.requests().length} times`);
      },
    },
    {
      name: 'printed as text, a limit says which it was',
      async play(stage) {
        await stage.script(RESTLESS);
        const turns = await stage.run(['-p', ...UNASKED, '--max-turns', '2', 'go']);
        checkFits(turns, { stdout: /Reached max turns \(2\)/ });
        const budget = await stage.run(['-p', ...UNASKED, '--max-budget-usd', '0.01', 'go']);
        checkFits(budget, { stdout: /Exceeded USD budget \(0\.01\)/ });
      },
    },
    {
      name: 'an account without credit is a billing_error',
      async play(stage) {
        const agent = await stage.start();
        stage.model.injectFault({
          kind: 'status',
          status: 400,
          first: 20,
          message: 'Your credit balance is too low to access the Anthropic API.',
        });
        const { messages } = await agent.turn('say hi');
        const said = messages.find(({ error }) => error !== undefined);
        checkFits(said, { type: 'assistant', error: 'billing_error' });
      },
    },
    {
      name: '--max-budget-usd ends the turn with its own subtype',
      async play(stage) {
        const agent = await stage.start({ args: [...UNASKED, '--max-budget-usd', '0.01'] });
        await stage.script(RESTLESS);
        checkFits((await agent.turn('go')).result, { subtype: 'error_max_budget_usd' });
      },
    },
    {
      name: 'the usage of a turn adds up',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await stage.script(COUNTED);
        const { result } = await agent.turn('go');
        checkFits(result, { num_turns: 2, usage: { input_tokens: 400, output_tokens: 40 } });
        // Beside the model of the conversation there may be one for titles and the like.
        const models = fieldsOf(result['modelUsage']);
        const main = models[String(stage.lastRequest()['model'])];
        checkFits(main, { inputTokens: 400, outputTokens: 40 }, 'the usage of the model');
        const costs = Object.values(models).map((usage) => Number(fieldsOf(usage)['costUSD']));
        const sum = costs.reduce((total, cost) => total + cost, 0);
        check(Math.abs(sum - Number(result['total_cost_usd'])) < 1e-9, `the costs add up to ${sum}`);
      },
    },
    {
      name: 'the cost of a session goes on growing, turn by turn',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await stage.script(COUNTED);
        const first = Number((await agent.turn('go')).result['total_cost_usd']);
        const second = Number((await agent.turn('again')).result['total_cost_usd']);
        check(first > 0 && second > first, `first ${first}, then ${second}`);
      },
    },
    survives('429', { kind: 'status', status: 429, retry_after_s: 0 }),
    survives('500', { kind: 'status', status: 500, retry_after_s: 0 }),
    survives('529', { kind: 'status', status: 529, retry_after_s: 0 }),
    survives('a stream that was cut', { kind: 'cut', after: 4 }),
    {
      name: 'tells the host that it tries again',
      misses: { '2.1.37': 'has no api_retry message' },
      async play(stage) {
        const agent = await stage.start();
        stage.model.injectFault({ kind: 'status', status: 500, retry_after_s: 0 });
        const { messages } = await agent.turn('say at last');
        const retry = messages.find((message) => kindOf(message) === 'system/api_retry');
        checkFits(retry, { attempt: 1, error_status: 500 });
      },
    },
    {
      name: 'a refused key is an error result, and exit code 1',
      misses: { '2.1.37': 'tries again for minutes', '2.1.325': 'tries again for minutes' },
      async play(stage) {
        const agent = await stage.start();
        stage.model.injectFault({ kind: 'status', status: 401, message: 'invalid x-api-key', first: 50 });
        const { result } = await agent.turn('say hi');
        checkFits(result, { is_error: true, result: /401/ });
        checkFits(await agent.finish(), { code: 1 });
      },
    },
    {
      name: 'a request that the API refuses is an error that the host can show',
      async play(stage) {
        const agent = await stage.start();
        stage.model.injectFault({ kind: 'status', status: 400, message: 'nonsense in it', first: 20 });
        const { result, messages } = await agent.turn('say hi');
        checkFits(result, { subtype: 'success', is_error: true, result: /400[\s\S]*nonsense in it/ });
        checkFits(blocksOfType(messages, 'text').at(-1), { text: /400/ }, 'the last words');
      },
    },
    {
      name: 'a session goes on after an error of the API',
      async play(stage) {
        const agent = await stage.start();
        stage.model.injectFault({ kind: 'status', status: 400, message: 'nonsense', first: 20 });
        await agent.turn('say one');
        stage.model.clearFaults();
        checkFits((await agent.turn('say two')).result, { is_error: false, result: 'two' });
      },
    },
    {
      name: '--fallback-model takes over when the first is overloaded',
      misses: { '2.1.37': 'stays with the first' },
      async play(stage) {
        const fallback = 'claude-haiku-4-5-20251001';
        const agent = await stage.start({ args: ['--fallback-model', fallback] });
        stage.model.injectFault({ kind: 'status', status: 529, retry_after_s: 0, first: 3 });
        checkFits((await agent.turn('say from the other')).result, { result: 'from the other' });
        checkFits(stage.lastRequest(), { model: fallback });
      },
    },
  ],
};
