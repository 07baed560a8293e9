import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { check, checkFits } from '../check.ts';
import { allow, deny, type PermissionAnswer } from '../conversation.ts';
import { blocksOfType } from '../messages.ts';
import { call } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

/** Allow, and add a rule for commands that begin with `git`: one that no version treats in a special way. */
function learnGit(destination: string): PermissionAnswer {
  const rules = [{ toolName: 'Bash', ruleContent: 'git:*' }];
  return ({ input }) => ({
    behavior: 'allow',
    updatedInput: input,
    updatedPermissions: [{ type: 'addRules', rules, behavior: 'allow', destination }],
  });
}

/** A command that needs a permission and shows that it ran. */
const init = (name: string) => `git init -q ${name}`;
const initialised = async (stage: Stage, name: string) =>
  (await stage.read(stage.path(`${name}/.git/HEAD`))) !== undefined;
const made = async (stage: Stage, name: string) => (await stage.read(stage.path(name))) !== undefined;

export const permissions: Part = {
  title: 'Permissions',
  scenarios: [
    {
      name: 'nobody is asked about a change of a file that was not read, nor about a wrong input',
      misses: { '2.1.325': 'asks, and writes' },
      async play(stage) {
        const file = await stage.write(stage.path('f.txt'), 'one\n');
        const agent = await stage.start({ onPermission: allow });
        const { tool } = await agent.turn(call('Write', { file_path: file, content: 'two' }));
        check(tool.isError, 'it was written');
        check((await agent.turn(call('Write', { file_path: file }))).tool.isError, 'it was made');
        check(agent.asked.length === 0, 'it asked');
        checkFits(await stage.read(file), 'one\n', 'the file');
      },
    },
    {
      name: 'a command that changes something is asked for, with its tool call and suggestions',
      async play(stage) {
        const agent = await stage.start({ onPermission: allow });
        const { messages } = await agent.turn('run touch a');
        const [tool_use] = blocksOfType(messages, 'tool_use');
        const [asked, ...more] = agent.asked;
        checkFits(
          [asked, more],
          [{ tool_name: 'Bash', input: { command: 'touch a' }, tool_use_id: tool_use?.['id'] }, []],
        );
        check(Array.isArray(asked?.['permission_suggestions']), 'it suggests nothing');
        check(await made(stage, 'a'), 'it did not run');
      },
    },
    {
      name: 'a question has absolute paths, and what the model left out',
      misses: { '2.1.37': 'hands on what the model said' },
      async play(stage) {
        await stage.write(stage.path('f.txt'), 'one\n');
        const agent = await stage.start({ onPermission: allow });
        await agent.turn(call('Read', { file_path: 'f.txt' }));
        await agent.turn(call('Edit', { file_path: 'f.txt', old_string: 'one', new_string: 'two' }));
        await agent.turn(call('Write', { file_path: '~/g.txt', content: 'x' }));
        checkFits(
          agent.asked.map(({ input }) => input),
          [
            { file_path: stage.path('f.txt'), old_string: 'one', new_string: 'two', replace_all: false },
            { file_path: join(stage.home, 'g.txt'), content: 'x' },
          ],
        );
        checkFits(await stage.read(stage.path('f.txt')), 'two\n', 'the file');
        checkFits(await stage.read(join(stage.home, 'g.txt')), 'x', 'the file of the home');
      },
    },
    {
      name: 'a question says in a few words what the call is about',
      misses: { '2.1.37': 'says nothing beside the input' },
      async play(stage) {
        const agent = await stage.start({ onPermission: deny() });
        await agent.turn('run touch a');
        await agent.turn(call('Bash', { command: 'touch a' }));
        await agent.turn(call('Write', { file_path: stage.path('src/a'), content: '1' }));
        await agent.turn(call('Write', { file_path: stage.elsewhere('a'), content: '1' }));
        await agent.turn(call('WebFetch', { url: 'http://example.com/x', prompt: 'what' }));
        checkFits(agent.asked, [
          { display_name: 'Bash', description: 'run it' },
          { display_name: 'Bash', description: 'touch a' },
          { display_name: 'Write', description: 'src/a' },
          { display_name: 'Write', description: stage.elsewhere('a') },
          { display_name: 'WebFetch', description: 'http://example.com/x' },
        ]);
      },
    },
    {
      name: 'a question says what kind of thing it was asked for: a folder, a file to be careful with, a rule, a hook',
      misses: { '2.1.37': 'has no kinds' },
      async play(stage) {
        const settings = JSON.stringify({ permissions: { ask: ['Bash(git status)'] } });
        const agent = await stage.start({ onPermission: deny(), args: ['--settings', settings] });
        agent.handle('hook_callback', () => ({
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'ask',
            permissionDecisionReason: 'look',
          },
        }));
        const matcher = { matcher: 'WebFetch', hookCallbackIds: ['ask'] };
        await agent.control('initialize', { hooks: { PreToolUse: [matcher] } });
        await agent.turn(call('Write', { file_path: stage.elsewhere('a'), content: '1' }));
        await agent.turn(call('Write', { file_path: stage.path('.claude/settings.json'), content: '{}' }));
        await agent.turn('run git status');
        await agent.turn(call('WebFetch', { url: 'http://example.com/x', prompt: 'what' }));
        checkFits(agent.asked, [
          { decision_reason_type: 'workingDir' },
          { decision_reason_type: 'safetyCheck' },
          { decision_reason_type: 'rule' },
          { decision_reason_type: 'hook' },
        ]);
      },
    },
    {
      name: 'a command that only looks is not asked for',
      async play(stage) {
        const agent = await stage.start({ onPermission: deny() });
        const { tool } = await agent.turn('run ls && pwd');
        checkFits([agent.asked.length, tool.isError, tool.text], [0, false, /project/]);
      },
    },
    {
      name: 'with nobody to ask it is refused, and the result lists it',
      async play(stage) {
        const { tool, result } = await (await stage.start()).turn('run touch a');
        checkFits(tool, { isError: true });
        checkFits(result['permission_denials'], [{ tool_name: 'Bash', tool_input: { command: 'touch a' } }]);
        check(!(await made(stage, 'a')), 'it ran');
      },
    },
    {
      name: 'a denial tells the model why, and the result lists it',
      async play(stage) {
        const agent = await stage.start({ onPermission: deny('not today') });
        const { tool, result } = await agent.turn('run touch a');
        checkFits(tool, { isError: true, text: /not today/ });
        checkFits(result, { subtype: 'success', permission_denials: [{ tool_name: 'Bash' }] });
      },
    },
    {
      name: 'a denial with interrupt ends the turn, and the session goes on',
      async play(stage) {
        const agent = await stage.start({ onPermission: deny('stop it', { interrupt: true }) });
        checkFits((await agent.turn('run touch a')).result, { subtype: 'error_during_execution' });
        checkFits((await agent.turn('say hi')).result, { result: 'hi' });
      },
    },
    {
      name: 'the host may change the input',
      async play(stage) {
        const updatedInput = { command: 'echo changed', description: 'another' };
        const agent = await stage.start({ onPermission: () => ({ behavior: 'allow', updatedInput }) });
        checkFits((await agent.turn('run touch a')).tool, { text: 'changed' });
        check(!(await made(stage, 'a')), 'the old input ran');
      },
    },
    {
      name: 'a rule for the session is asked for once',
      async play(stage) {
        const agent = await stage.start({ onPermission: learnGit('session') });
        await agent.turn(`run ${init('a')}`);
        await agent.turn(`run ${init('b')}`);
        checkFits([agent.asked.length, await initialised(stage, 'b')], [1, true]);
      },
    },
    ...[
      { destination: 'localSettings', file: '.claude/settings.local.json' },
      { destination: 'projectSettings', file: '.claude/settings.json' },
    ].map(({ destination, file }) => ({
      name: `a rule for ${destination} is written to ${file}`,
      async play(stage: Stage) {
        const agent = await stage.start({ onPermission: learnGit(destination) });
        await agent.turn(`run ${init('a')}`);
        const settings: unknown = JSON.parse((await stage.read(stage.path(file))) ?? '{}');
        checkFits(settings, { permissions: { allow: ['Bash(git:*)'] } });
      },
    })),
    {
      name: 'the host may set the mode with its answer',
      async play(stage) {
        const updatedPermissions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
        const agent = await stage.start({
          onPermission: ({ input }) => ({ behavior: 'allow', updatedInput: input, updatedPermissions }),
        });
        await agent.turn(call('Write', { file_path: stage.path('a'), content: '1' }));
        await agent.turn(call('Write', { file_path: stage.path('b'), content: '2' }));
        checkFits([agent.asked.length, await made(stage, 'b')], [1, true]);
      },
    },
    {
      name: 'the rules of settings files are kept, and deny beats allow',
      async play(stage) {
        await mkdir(join(stage.home, '.claude'));
        const rules = { allow: ['Bash(git:*)'], deny: [`Bash(${init('secret')})`] };
        await stage.write(join(stage.home, '.claude/settings.json'), JSON.stringify({ permissions: rules }));
        const agent = await stage.start({ onPermission: deny() });
        await agent.turn(`run ${init('open')}`);
        checkFits((await agent.turn(`run ${init('secret')}`)).tool, { isError: true });
        check(agent.asked.length === 0, 'it asks');
        checkFits([await initialised(stage, 'open'), await initialised(stage, 'secret')], [true, false]);
      },
    },
    {
      name: '--allowedTools: a prefix allows its commands and no others',
      async play(stage) {
        const agent = await stage.start({ args: ['--allowedTools', 'Bash(git:*)'], onPermission: deny() });
        await agent.turn(`run ${init('a')}`);
        checkFits([agent.asked.length, await initialised(stage, 'a')], [0, true]);
        await agent.turn('run mkdir c');
        check(agent.asked.length === 1, 'another command ran unasked');
      },
    },
    ...[
      `${init('a')} && mkdir evil`,
      `${init('a')}; mkdir evil`,
      init('$(mkdir evil)'),
      `${init('a')} | mkdir evil`,
    ].map((command) => ({
      name: `--allowedTools: a prefix does not allow \`${command}\``,
      async play(stage: Stage) {
        const agent = await stage.start({
          args: ['--allowedTools', 'Bash(git:*)'],
          onPermission: deny(),
        });
        await agent.turn(`run ${command}`);
        checkFits([agent.asked.length, await initialised(stage, 'a')], [1, false]);
      },
    })),
    {
      name: '--disallowedTools: the tool cannot be used, not even unasked',
      async play(stage) {
        const file = await stage.write(stage.path('a.txt'), 'secret words');
        const agent = await stage.start({
          args: ['--dangerously-skip-permissions', '--disallowedTools', 'Read'],
        });
        const { tool } = await agent.turn(call('Read', { file_path: file }));
        check(tool.isError && !tool.text.includes('secret words'), 'it was read');
      },
    },
    {
      name: '--disallowedTools: a rule refuses its commands, not even unasked',
      async play(stage) {
        const agent = await stage.start({
          args: ['--dangerously-skip-permissions', '--disallowedTools', 'Bash(git:*)'],
        });
        checkFits((await agent.turn(`run ${init('a')}`)).tool, { isError: true });
        check(!(await initialised(stage, 'a')), 'it ran');
      },
    },
  ],
};
