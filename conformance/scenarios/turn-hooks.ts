import { check, checkFits } from '../check.ts';
import { initializeWithHooks, specific, verdict } from '../hook-host.ts';
import { delegate, UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';

export const turnHooks: Part = {
  title: 'Hooks of the host around turns and sub-agents',
  scenarios: [
    {
      name: 'UserPromptSubmit is told the prompt, and its words reach the model',
      async play(stage) {
        const agent = await stage.start();
        const told = await initializeWithHooks(agent, {
          UserPromptSubmit: specific('UserPromptSubmit', { additionalContext: 'it is raining' }),
        });
        await agent.turn('say hi');
        checkFits(told, [{ prompt: 'say hi' }]);
        check(stage.sent().includes('it is raining'), 'the model does not know');
      },
    },
    {
      name: 'UserPromptSubmit that blocks keeps the prompt from the model, and the session goes on',
      async play(stage) {
        const agent = await stage.start();
        await initializeWithHooks(agent, {
          UserPromptSubmit: ({ prompt }) =>
            prompt === 'say bad' ? { decision: 'block', reason: 'no such words' } : {},
        });
        await agent.turn('say bad');
        check(stage.requests().length === 0, 'the model was asked');
        checkFits((await agent.turn('say good')).result, { result: 'good' });
        check(!stage.sent().includes('say bad'), 'the model heard it later');
      },
    },
    {
      name: 'Stop that blocks makes the model go on, and is told so the next time',
      async play(stage) {
        const agent = await stage.start();
        const told = await initializeWithHooks(agent, {
          Stop: ({ stop_hook_active }) =>
            stop_hook_active === true ? {} : { decision: 'block', reason: 'say one more thing' },
        });
        const { result } = await agent.turn('say hi');
        checkFits(told, [{ stop_hook_active: false }, { stop_hook_active: true }]);
        checkFits(stage.requests().length, 2, 'the number of requests');
        check(stage.sent().includes('say one more thing'), 'the model does not know why');
        checkFits(result, { subtype: 'success' });
      },
    },
    {
      name: 'SubagentStart and SubagentStop name the sub-agent and where it is taken down',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const told = await initializeWithHooks(agent, { SubagentStart: {}, SubagentStop: {} });
        await agent.turn(delegate('say below'));
        const [start, stop] = told;
        checkFits(start, { hook_event_name: 'SubagentStart', agent_id: /./, agent_type: 'general-purpose' });
        checkFits(stop, {
          hook_event_name: 'SubagentStop',
          agent_id: start?.['agent_id'],
          agent_transcript_path: /agent-.*\.jsonl$/,
          stop_hook_active: false,
        });
      },
    },
    {
      name: 'the tools of a sub-agent go through the hooks as well',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const told = await initializeWithHooks(agent, { PreToolUse: verdict('deny') }, { matcher: 'Bash' });
        await agent.turn(delegate('run touch a'));
        checkFits(told, [{ tool_name: 'Bash', tool_input: { command: 'touch a' } }]);
        check(!(await stage.has('a')), 'it ran');
      },
    },
    {
      name: 'a hook knows when a sub-agent uses a tool',
      misses: { '2.1.37': 'does not say who calls' },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const told = await initializeWithHooks(agent, { PreToolUse: {} }, { matcher: 'Bash' });
        await agent.turn(delegate('run echo below'));
        await agent.turn('run echo above');
        checkFits(told, [{ agent_id: /./, agent_type: 'general-purpose' }, { agent_id: undefined }]);
      },
    },
    {
      name: 'SubagentStop that blocks makes the sub-agent go on',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await initializeWithHooks(agent, {
          SubagentStop: ({ stop_hook_active }) =>
            stop_hook_active === true ? {} : { decision: 'block', reason: 'look once more' },
        });
        await agent.turn(delegate('say below'));
        const asked = stage.requests().map(({ body }) => JSON.stringify(body));
        check(
          asked.some((body) => body.includes('look once more') && !body.includes('call Task')),
          'the sub-agent was not told why',
        );
      },
    },
    {
      name: 'PreCompact is told what set it off and what the person wants to keep',
      async play(stage) {
        const agent = await stage.start();
        const told = await initializeWithHooks(agent, { PreCompact: {} });
        await agent.turn('say hi');
        await agent.turn('/compact keep the names');
        checkFits(told, [{ trigger: 'manual', custom_instructions: 'keep the names' }]);
      },
    },
  ],
};
