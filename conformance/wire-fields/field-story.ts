import type { ScenarioInput } from '@signalbox/model';
import type { JsonObject } from '@signalbox/protocol';
import type { DrivenAgent } from '../driven-agent.ts';
import { initializeWithHooks } from '../hook-host.ts';
import { isResult } from '../messages.ts';
import { eventually } from '../processes.ts';
import { call, delegate, promptId } from '../prompts.ts';
import { MODEL, script } from '../public-programs/script.ts';
import type { Stage } from '../stage.ts';

const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'UserPromptSubmit',
  'SessionStart',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
] as const;

const QUESTION = {
  questions: [
    {
      question: 'Which?',
      header: 'Which',
      multiSelect: false,
      options: [
        { label: 'A', description: 'the first' },
        { label: 'B', description: 'the second' },
      ],
    },
  ],
};

/** All that an API says about tokens, so that it can be seen what becomes of it. */
const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  cache_read_input_tokens: 30,
  cache_creation_input_tokens: 8,
  cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 3 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  output_tokens_details: { thinking_tokens: 2 },
};

const SCRIPT: ScenarioInput = {
  ...script,
  turns: [
    { name: 'fail', when: { user: { equals: 'fail' } }, say: [{ fault: { kind: 'status', status: 400 } }] },
    ...script.turns.map((turn) => ({ ...turn, usage: USAGE })),
  ],
};

/** What a host answers, by the words in the request. */
function answer({ tool_name, input }: JsonObject): JsonObject | Promise<JsonObject> {
  const asked = JSON.stringify(input);
  if (tool_name === 'AskUserQuestion')
    return { behavior: 'allow', updatedInput: { ...Object(input), answers: { 'Which?': 'A' } } };
  if (asked.includes('never')) return { behavior: 'deny', message: 'not today' };
  if (asked.includes('stop')) return { behavior: 'deny', message: 'not today', interrupt: true };
  if (asked.includes('wait')) return new Promise(() => {});
  return { behavior: 'allow', updatedInput: input };
}

const START = {
  args: ['--include-partial-messages', '--replay-user-messages', '--disallowedTools', 'Bash(rm:*)'],
  env: { ANTHROPIC_MODEL: MODEL, CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
  onPermission: answer,
};

/**
 * Text, tools that are allowed, denied, fail and change files, a sub-agent, commands, interrupts, an error and a
 * resume: all that the agent said, asked and told hooks, each as a message with its kind.
 */
export async function playFieldStory(stage: Stage): Promise<JsonObject[]> {
  await stage.script(SCRIPT);
  const file = await stage.write(stage.path('notes.txt'), 'one\ntwo\n');
  await stage.write(stage.path('.claude/commands/greet.md'), 'say hello $ARGUMENTS');
  const agent = await stage.start(START);
  const hooks = await initializeWithHooks(agent, Object.fromEntries(EVENTS.map((event) => [event, {}])));
  const prompts = [
    'say hello',
    'think it over',
    '/greet you',
    `read ${file}`,
    `edit ${file} one=>three`,
    `write ${stage.path('new.txt')} text`,
    `write ${file} other`,
    call('AskUserQuestion', QUESTION),
    'run echo out && touch made',
    'run ls none',
    'run touch never',
    'run rm made',
    `write ${stage.elsewhere('far.txt')} text`,
    delegate('run echo below'),
    'run touch stop',
    '/cost',
    '/compact',
  ];
  for (const prompt of prompts) await agent.turn(prompt, { uuid: promptId() });
  await interruptStories(stage, agent);
  await agent.turn('fail', { uuid: promptId() });
  await backgroundStory(stage, agent);
  const session = String(agent.messages.find(isResult)?.session_id);
  await agent.finish();
  const again = await stage.start({ ...START, args: [...START.args, '--resume', session] });
  await again.turn('say again', { uuid: promptId() });
  await again.finish();
  return [
    ...agent.messages,
    ...again.messages,
    ...[...agent.asked, ...again.asked].map((request) => ({ ...request, type: 'control_request' })),
    ...hooks.map((input) => ({ ...input, type: 'hook', subtype: input['hook_event_name'] })),
  ];
}

/** A command outlives the turn that started it, and the model hears of its end. */
async function backgroundStory(stage: Stage, agent: DrivenAgent): Promise<void> {
  const command = 'until [ -e end ]; do sleep 0.1; done; echo back';
  const input = { command, description: 'wait', run_in_background: true };
  await agent.turn(call('Bash', input), { uuid: promptId() });
  const mark = agent.messages.length;
  await stage.write(stage.path('end'), '');
  await agent.next((message) => isResult(message) && 'origin' in message, mark);
}

/** A person stops an answer, a tool and a question. */
async function interruptStories(stage: Stage, agent: DrivenAgent): Promise<void> {
  const stopped = async (prompt: string, isUnderWay: (mark: number) => Promise<unknown>): Promise<void> => {
    const mark = agent.messages.length;
    const underWay = isUnderWay(mark);
    await agent.say(prompt, { uuid: promptId() });
    await underWay;
    await agent.control('interrupt');
    await agent.rest(mark);
  };
  await stopped('slow 2000', (mark) =>
    agent.next(({ event }) => JSON.stringify(event ?? '').includes('text_delta'), mark),
  );
  await stopped('run touch running && tail -f running', () =>
    eventually(async () => (await stage.has('running')) || undefined),
  );
  await stopped('run touch wait', () => agent.question(agent.asked.length + 1));
}
