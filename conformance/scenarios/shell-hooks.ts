import type { JsonObject } from '@signalbox/protocol';
import { check, checkFits } from '../check.ts';
import { specific, verdict } from '../hook-host.ts';
import { kindOf } from '../messages.ts';
import { eventually } from '../processes.ts';
import { UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

/** Settings with one command for an event. */
function settings(event: string, command: string, more: JsonObject = {}): string {
  const { matcher, ...hook } = more;
  const rule = {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: 'command', command, ...hook }],
  };
  return JSON.stringify({ hooks: { [event]: [rule] } });
}

/** The command that prints a hook's answer. */
function prints(answer: JsonObject): string {
  return `echo '${JSON.stringify(answer)}'`;
}

/** An agent that asks for nothing, with a command for an event in the settings of the person. */
async function withHook(stage: Stage, event: string, command: string, more: JsonObject = {}) {
  await stage.write(stage.personal('settings.json'), settings(event, command, more));
  return stage.start({ args: UNASKED });
}

export const shellHooks: Part = {
  title: 'Hooks of the settings',
  scenarios: [
    {
      name: 'a command reads what happens as JSON, in the folder of the session',
      async play(stage) {
        const heard = stage.elsewhere('heard.json');
        const agent = await withHook(stage, 'PreToolUse', `cat > ${heard}; pwd > ${heard}.pwd`);
        const { result } = await agent.turn('run echo hi');
        const input: unknown = JSON.parse((await stage.read(heard)) ?? '{}');
        checkFits(input, {
          hook_event_name: 'PreToolUse',
          session_id: result['session_id'],
          transcript_path: /\.jsonl$/,
          cwd: stage.folder,
          tool_name: 'Bash',
          tool_input: { command: 'echo hi' },
        });
        checkFits(await stage.read(`${heard}.pwd`), `${stage.folder}\n`);
      },
    },
    {
      name: 'a command finds the project in CLAUDE_PROJECT_DIR',
      async play(stage) {
        const heard = stage.elsewhere('heard');
        const agent = await withHook(stage, 'PreToolUse', `printf %s "$CLAUDE_PROJECT_DIR" > ${heard}`);
        await agent.turn('run echo hi');
        checkFits(await stage.read(heard), stage.folder);
      },
    },
    {
      name: 'exit code 2 forbids the tool, and the model hears what was written to stderr',
      async play(stage) {
        const agent = await withHook(stage, 'PreToolUse', 'echo "over my dead body" >&2; exit 2');
        checkFits((await agent.turn('run touch a')).tool, { isError: true, text: /over my dead body/ });
        check(!(await stage.has('a')), 'it ran');
      },
    },
    {
      name: 'JSON that denies forbids the tool, with its reason',
      async play(stage) {
        const agent = await withHook(stage, 'PreToolUse', prints(verdict('deny')));
        checkFits((await agent.turn('run touch a')).tool, { isError: true, text: /the hook says so/ });
        check(!(await stage.has('a')), 'it ran');
      },
    },
    {
      name: 'JSON with another input changes it',
      async play(stage) {
        const updatedInput = { command: 'echo changed', description: 'another' };
        const agent = await withHook(stage, 'PreToolUse', prints(verdict('allow', { updatedInput })));
        checkFits((await agent.turn('run touch a')).tool, { text: 'changed' });
      },
    },
    ...[
      { what: 'fails with another code', command: 'echo broken >&2; exit 1' },
      { what: 'prints no JSON', command: 'echo nonsense' },
      { what: 'prints broken JSON', command: 'echo "{nonsense"' },
      { what: 'does not exist', command: '/nowhere/at/all' },
    ].map(({ what, command }) => ({
      name: `a command that ${what} forbids nothing`,
      async play(stage: Stage) {
        const agent = await withHook(stage, 'PreToolUse', command);
        checkFits((await agent.turn('run echo hi')).tool, { isError: false, text: 'hi' });
      },
    })),
    {
      name: 'a command that takes longer than its timeout is ended, and forbids nothing',
      async play(stage) {
        const left = stage.elsewhere('left');
        const agent = await withHook(stage, 'PreToolUse', `sleep 30; touch ${left}`, { timeout: 1 });
        checkFits((await agent.turn('run echo hi')).tool, { isError: false, text: 'hi' });
      },
    },
    {
      name: 'a matcher says which tools a command hears of',
      async play(stage) {
        const heard = stage.elsewhere('heard');
        const agent = await withHook(stage, 'PreToolUse', `echo x >> ${heard}`, { matcher: 'Write|Edit' });
        await agent.turn('run echo hi');
        await agent.turn(`write ${stage.path('a')} text`);
        checkFits(await stage.read(heard), 'x\n');
      },
    },
    {
      name: 'PostToolUse: exit code 2 tells the model what is wrong',
      async play(stage) {
        const agent = await withHook(stage, 'PostToolUse', 'echo "the style is wrong" >&2; exit 2');
        checkFits((await agent.turn('run echo hi')).result, { subtype: 'success' });
        check(stage.sent().includes('the style is wrong'), 'the model does not know');
      },
    },
    {
      name: 'UserPromptSubmit: what is printed is told to the model',
      async play(stage) {
        const agent = await withHook(stage, 'UserPromptSubmit', 'echo it is raining');
        await agent.turn('say hi');
        check(stage.sent().includes('it is raining'), 'the model does not know');
      },
    },
    {
      name: 'UserPromptSubmit: exit code 2 keeps the prompt from the model',
      async play(stage) {
        const agent = await withHook(stage, 'UserPromptSubmit', 'echo "not that" >&2; exit 2');
        await agent.turn('say hi');
        check(stage.requests().length === 0, 'the model was asked');
      },
    },
    {
      name: 'SessionStart: what is printed is told to the model, and the host sees the hook',
      async play(stage) {
        const agent = await withHook(stage, 'SessionStart', 'echo remember the milk');
        await agent.turn('say hi');
        check(stage.sent().includes('remember the milk'), 'the model does not know');
        const response = agent.messages.find((message) => kindOf(message) === 'system/hook_response');
        checkFits(response, {
          hook_event: 'SessionStart',
          hook_name: 'SessionStart:startup',
          stdout: /milk/,
          exit_code: 0,
        });
      },
    },
    {
      name: 'SessionStart: a matcher tells a new session from a resumed one',
      async play(stage) {
        const heard = stage.elsewhere('heard');
        const agent = await withHook(stage, 'SessionStart', `echo x >> ${heard}`, { matcher: 'resume' });
        const { result } = await agent.turn('say hi');
        await agent.finish();
        checkFits(await stage.read(heard), undefined);
        const again = await stage.start({ args: ['--resume', String(result['session_id'])] });
        await again.turn('say hi');
        checkFits(await stage.read(heard), 'x\n');
      },
    },
    {
      name: 'SessionEnd runs when the host has left',
      async play(stage) {
        const heard = stage.elsewhere('heard.json');
        const agent = await withHook(stage, 'SessionEnd', `cat > ${heard}`);
        await agent.turn('say hi');
        await agent.finish();
        const text = await eventually(async () => (await stage.read(heard)) || undefined);
        checkFits(JSON.parse(text), { hook_event_name: 'SessionEnd', reason: 'other' });
      },
    },
    {
      name: 'Stop: exit code 2 makes the model go on',
      async play(stage) {
        const once = stage.elsewhere('once');
        const command = `[ -e ${once} ] || { touch ${once}; echo "one more thing" >&2; exit 2; }`;
        const agent = await withHook(stage, 'Stop', command);
        checkFits((await agent.turn('say hi')).result, { subtype: 'success' });
        checkFits(stage.requests().length, 2, 'the number of requests');
        check(stage.sent().includes('one more thing'), 'the model does not know why');
      },
    },
    {
      name: '--include-hook-events shows the host the commands of every event',
      misses: { '2.1.37': 'has no such flag' },
      async play(stage) {
        await stage.write(stage.personal('settings.json'), settings('PreToolUse', 'echo heard'));
        const agent = await stage.start({ args: [...UNASKED, '--include-hook-events'] });
        const { messages } = await agent.turn('run echo hi');
        const told = messages.filter(({ hook_event }) => hook_event === 'PreToolUse');
        checkFits(told.map(kindOf), ['system/hook_started', 'system/hook_response']);
        checkFits(told[1], { hook_name: 'PreToolUse:Bash', stdout: /heard/, outcome: 'success' });
        checkFits(told[0]?.['hook_id'], told[1]?.['hook_id']);
      },
    },
    {
      name: 'hooks of the person, the project and the command line all run',
      async play(stage) {
        const heard = stage.elsewhere('heard');
        const command = (who: string) => settings('PreToolUse', `echo ${who} >> ${heard}`);
        await stage.write(stage.personal('settings.json'), command('person'));
        await stage.write(stage.path('.claude/settings.json'), command('project'));
        await stage.write(stage.path('.claude/settings.local.json'), command('local'));
        const sources = ['--setting-sources', 'user,project,local', '--settings', command('flag')];
        const agent = await stage.start({ args: [...UNASKED, ...sources] });
        await agent.turn('run echo hi');
        const lines = (await stage.read(heard))?.trim().split('\n').toSorted();
        checkFits(lines, ['flag', 'local', 'person', 'project']);
      },
    },
    {
      name: '--setting-sources leaves out the hooks of other sources',
      async play(stage) {
        const heard = stage.elsewhere('heard');
        await stage.write(stage.personal('settings.json'), settings('PreToolUse', `touch ${heard}`));
        const agent = await stage.start({ args: [...UNASKED, '--setting-sources', 'project'] });
        await agent.turn('run echo hi');
        check((await stage.read(heard)) === undefined, 'it ran');
      },
    },
    {
      name: 'disableAllHooks switches them off',
      async play(stage) {
        const heard = stage.elsewhere('heard');
        const { hooks } = JSON.parse(settings('PreToolUse', `touch ${heard}`));
        await stage.write(stage.personal('settings.json'), JSON.stringify({ hooks, disableAllHooks: true }));
        const agent = await stage.start({ args: UNASKED });
        await agent.turn('run echo hi');
        check((await stage.read(heard)) === undefined, 'it ran');
      },
    },
    {
      name: 'a command may ask the model to stop',
      async play(stage) {
        const agent = await withHook(stage, 'PostToolUse', prints({ continue: false, stopReason: 'enough' }));
        await agent.turn('run echo hi');
        checkFits(stage.requests().length, 1, 'the number of requests');
      },
    },
    {
      name: 'PostToolUse: JSON with context tells the model something',
      async play(stage) {
        const answer = specific('PostToolUse', { additionalContext: 'mind the gap' });
        const agent = await withHook(stage, 'PostToolUse', prints(answer));
        await agent.turn('run echo hi');
        check(stage.sent().includes('mind the gap'), 'the model does not know');
      },
    },
  ],
};
