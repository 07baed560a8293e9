import { check, checkFits } from '../check.ts';
import { allow, deny } from '../conversation.ts';
import { initializeWithHooks, specific, verdict } from '../hook-host.ts';
import { blocksOfType, fieldsOf } from '../messages.ts';
import { call, UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

export const toolHooks: Part = {
  title: 'Hooks of the host around tools',
  scenarios: [
    {
      name: 'PreToolUse is told the session, the tool, its input and the id of the call',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const told = await initializeWithHooks(agent, { PreToolUse: {} });
        const { messages, result } = await agent.turn('run echo hi');
        checkFits(told, [
          {
            hook_event_name: 'PreToolUse',
            session_id: result['session_id'],
            transcript_path: /\.jsonl$/,
            cwd: stage.folder,
            permission_mode: 'bypassPermissions',
            tool_name: 'Bash',
            tool_input: { command: 'echo hi' },
            tool_use_id: blocksOfType(messages, 'tool_use')[0]?.['id'],
          },
        ]);
      },
    },
    {
      name: 'a matcher says which tools a hook hears of',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const told = await initializeWithHooks(agent, { PreToolUse: {} }, { matcher: 'Write|Edit' });
        await agent.turn('run echo hi');
        await agent.turn(`write ${stage.path('a')} text`);
        checkFits(told, [{ tool_name: 'Write' }]);
      },
    },
    {
      name: 'PreToolUse denies: the tool is not used, and the model hears why',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await initializeWithHooks(agent, { PreToolUse: verdict('deny') });
        const { tool, result } = await agent.turn('run touch a');
        checkFits(tool, { isError: true, text: /the hook says so/ });
        checkFits(result, { subtype: 'success' });
        check(!(await stage.has('a')), 'it ran');
      },
    },
    {
      name: 'PreToolUse allows: nobody is asked',
      async play(stage) {
        const agent = await stage.start({ onPermission: deny() });
        await initializeWithHooks(agent, { PreToolUse: verdict('allow') });
        await agent.turn('run touch a');
        checkFits([agent.asked.length, await stage.has('a')], [0, true]);
      },
    },
    {
      name: 'PreToolUse asks: the host is asked although a rule allows it',
      misses: { '2.1.37': 'goes by the rule' },
      async play(stage) {
        const agent = await stage.start({ args: ['--allowedTools', 'Bash'], onPermission: deny() });
        await initializeWithHooks(agent, { PreToolUse: verdict('ask') });
        await agent.turn('run touch a');
        checkFits([agent.asked.length, await stage.has('a')], [1, false]);
      },
    },
    {
      name: 'a hook that allows does not undo a rule that denies',
      misses: { '2.1.37': 'lets the hook decide' },
      async play(stage) {
        const agent = await stage.start({
          args: ['--disallowedTools', 'Bash(touch:*)'],
          onPermission: allow,
        });
        await initializeWithHooks(agent, { PreToolUse: verdict('allow') });
        checkFits((await agent.turn('run touch a')).tool, { isError: true });
        check(!(await stage.has('a')), 'it ran');
      },
    },
    {
      name: 'PreToolUse changes the input',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const updatedInput = { command: 'echo changed', description: 'another' };
        await initializeWithHooks(agent, { PreToolUse: verdict('allow', { updatedInput }) });
        checkFits((await agent.turn('run touch a')).tool, { text: 'changed' });
        check(!(await stage.has('a')), 'the old input ran');
      },
    },
    {
      name: 'PreToolUse tells the model something',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await initializeWithHooks(agent, {
          PreToolUse: specific('PreToolUse', { additionalContext: 'mind the gap' }),
        });
        await agent.turn('run echo hi');
        check(stage.sent().includes('mind the gap'), 'the model does not know');
      },
    },
    {
      name: 'the old words approve and block decide too',
      async play(stage) {
        const agent = await stage.start({ onPermission: deny() });
        await initializeWithHooks(agent, {
          PreToolUse: ({ tool_input }) =>
            fieldsOf(tool_input)['command'] === 'touch good'
              ? { decision: 'approve' }
              : { decision: 'block', reason: 'not that one' },
        });
        await agent.turn('run touch good');
        const { tool } = await agent.turn('run touch bad');
        checkFits(tool, { isError: true, text: /not that one/ });
        checkFits([await stage.has('good'), await stage.has('bad'), agent.asked.length], [true, false, 0]);
      },
    },
    {
      name: 'PostToolUse is told what came of it, and its words reach the model',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const told = await initializeWithHooks(agent, {
          PostToolUse: specific('PostToolUse', { additionalContext: 'well done' }),
        });
        await agent.turn('run echo hi');
        checkFits(told, [{ tool_name: 'Bash', tool_response: { stdout: 'hi', interrupted: false } }]);
        check(stage.sent().includes('well done'), 'the model does not know');
      },
    },
    {
      name: 'PostToolUse that blocks tells the model why, and the turn goes on',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await initializeWithHooks(agent, { PostToolUse: { decision: 'block', reason: 'too loud' } });
        const { result } = await agent.turn('run echo hi');
        checkFits(result, { subtype: 'success' });
        check(stage.sent().includes('too loud'), 'the model does not know');
      },
    },
    {
      name: 'PostToolUseFailure is told the error, PostToolUse is not called',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const told = await initializeWithHooks(agent, { PostToolUse: {}, PostToolUseFailure: {} });
        await agent.turn('run exit 3');
        checkFits(told, [{ hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', error: /3/ }]);
      },
    },
    ...['PreToolUse', 'PostToolUse'].map((event) => ({
      name: `continue: false in ${event} ends the turn, and the session goes on`,
      async play(stage: Stage) {
        const agent = await stage.start({ args: UNASKED });
        await initializeWithHooks(agent, { [event]: { continue: false, stopReason: 'enough' } });
        await agent.turn('run echo hi');
        checkFits(stage.requests().length, 1, 'the number of requests');
        checkFits((await agent.turn('say hi')).result, { result: 'hi' });
      },
    })),
    {
      name: 'PermissionRequest answers in place of the host',
      async play(stage) {
        const agent = await stage.start({ onPermission: () => new Promise(() => {}) });
        const told = await initializeWithHooks(agent, {
          PermissionRequest: ({ tool_input }) => {
            const behavior = fieldsOf(tool_input)['command'] === 'touch good' ? 'allow' : 'deny';
            return specific('PermissionRequest', { decision: { behavior, message: 'says the hook' } });
          },
        });
        await agent.turn('run touch good');
        checkFits((await agent.turn('run touch bad')).tool, { isError: true, text: /says the hook/ });
        checkFits(told, [{ tool_name: 'Bash' }, { tool_name: 'Bash' }]);
        checkFits([await stage.has('good'), await stage.has('bad')], [true, false]);
      },
    },
    {
      name: 'a hook that fails in the host changes nothing',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await initializeWithHooks(agent, { PreToolUse: () => Promise.reject(new Error('it broke')) });
        checkFits((await agent.turn('run echo hi')).tool, { text: 'hi' });
      },
    },
    {
      name: 'a hook that answers nothing changes nothing',
      async play(stage) {
        const agent = await stage.start({ onPermission: deny() });
        await initializeWithHooks(agent, { PreToolUse: {}, UserPromptSubmit: {}, Stop: {} });
        const { result } = await agent.turn(call('Bash', { command: 'touch a', description: 'x' }));
        checkFits([agent.asked.length, result['subtype']], [1, 'success']);
      },
    },
  ],
};
