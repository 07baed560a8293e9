import { mkdir, symlink } from 'node:fs/promises';
import { check, checkFits } from '../check.ts';
import { allow, deny } from '../conversation.ts';
import { call } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const mode = (name: string) => ['--permission-mode', name];
const writing = (path: string) => call('Write', { file_path: path, content: 'x' });
const made = async (stage: Stage, path: string) => (await stage.read(path)) !== undefined;

export const modes: Part = {
  title: 'Permission modes and folders',
  scenarios: [
    {
      name: 'default: Write asks, Read does not',
      async play(stage) {
        const file = await stage.write(stage.path('a'), 'text');
        const agent = await stage.start({ onPermission: allow });
        await agent.turn(`read ${file}`);
        check(agent.asked.length === 0, 'it asks before it reads');
        await agent.turn(writing(stage.path('b')));
        checkFits(agent.asked, [{ tool_name: 'Write', input: { file_path: stage.path('b') } }]);
      },
    },
    {
      name: 'acceptEdits: files are written unasked, programs are not run',
      async play(stage) {
        const agent = await stage.start({ args: mode('acceptEdits'), onPermission: deny() });
        await agent.turn(writing(stage.path('a')));
        checkFits([agent.asked.length, await made(stage, stage.path('a'))], [0, true]);
        await agent.turn('run node -e 1');
        check(agent.asked.length === 1, 'a program ran unasked');
      },
    },
    {
      name: 'acceptEdits: settings are asked for all the same',
      async play(stage) {
        await mkdir(stage.path('.claude'));
        const agent = await stage.start({ args: mode('acceptEdits'), onPermission: deny() });
        await agent.turn(writing(stage.path('.claude/settings.json')));
        checkFits([agent.asked.length, await made(stage, stage.path('.claude/settings.json'))], [1, false]);
      },
    },
    {
      name: 'acceptEdits: what lies in .git is asked for all the same',
      async play(stage) {
        await mkdir(stage.path('.git/hooks'), { recursive: true });
        const agent = await stage.start({ args: mode('acceptEdits'), onPermission: deny() });
        await agent.turn(writing(stage.path('.git/hooks/pre-commit')));
        checkFits([agent.asked.length, await made(stage, stage.path('.git/hooks/pre-commit'))], [1, false]);
      },
    },
    {
      name: 'plan: nothing is written unasked',
      async play(stage) {
        const agent = await stage.start({ args: mode('plan'), onPermission: deny() });
        checkFits((await agent.turn(writing(stage.path('a')))).tool, { isError: true });
        check(!(await made(stage, stage.path('a'))), 'it was written');
      },
    },
    {
      name: 'bypassPermissions: nothing is asked',
      async play(stage) {
        const agent = await stage.start({ args: ['--dangerously-skip-permissions'], onPermission: deny() });
        await agent.turn('run touch a');
        await agent.turn(writing(stage.elsewhere('b')));
        checkFits([agent.asked.length, await made(stage, stage.elsewhere('b'))], [0, true]);
      },
    },
    {
      name: 'dontAsk: what would be asked is refused',
      async play(stage) {
        const agent = await stage.start({ args: mode('dontAsk'), onPermission: allow });
        const { tool, result } = await agent.turn('run touch a');
        checkFits([agent.asked.length, tool.isError], [0, true]);
        checkFits(result['permission_denials'], [{ tool_name: 'Bash' }]);
      },
    },
    {
      name: 'a file outside is asked for, and the question says why',
      async play(stage) {
        const file = await stage.write(stage.elsewhere('a'), 'far away');
        const agent = await stage.start({ onPermission: deny() });
        await agent.turn(`read ${file}`);
        checkFits(agent.asked, [{ tool_name: 'Read', input: { file_path: file }, decision_reason: /./ }]);
      },
    },
    {
      name: 'a command that touches a path outside is asked for, with the path',
      async play(stage) {
        const agent = await stage.start({ args: mode('acceptEdits'), onPermission: deny() });
        await agent.turn(`run touch ${stage.elsewhere('b')}`);
        checkFits(agent.asked, [{ tool_name: 'Bash', blocked_path: stage.elsewhere('b') }]);
      },
    },
    {
      name: 'a way out through .. is a way out',
      async play(stage) {
        const file = await stage.write(stage.elsewhere('a'), 'far away');
        const agent = await stage.start({ onPermission: deny() });
        await agent.turn(`read ${stage.folder}/../elsewhere/a`);
        checkFits([agent.asked.length, await stage.read(file)], [1, 'far away']);
      },
    },
    {
      name: 'a way out through a symbolic link is a way out',
      async play(stage) {
        await stage.write(stage.elsewhere('a'), 'far away');
        await symlink(stage.elsewhere('a'), stage.path('link'));
        const agent = await stage.start({ onPermission: deny() });
        const { tool } = await agent.turn(`read ${stage.path('link')}`);
        check(!tool.text.includes('far away'), 'it was read unasked');
      },
    },
    {
      name: '--add-dir: a folder of the session is no longer outside',
      async play(stage) {
        const file = await stage.write(stage.elsewhere('a'), 'far away');
        const agent = await stage.start({ args: ['--add-dir', stage.elsewhere('')], onPermission: deny() });
        const { tool } = await agent.turn(`read ${file}`);
        checkFits([agent.asked.length, tool.text], [0, /far away/]);
      },
    },
    {
      name: 'the host may add a folder with its answer',
      async play(stage) {
        const file = await stage.write(stage.elsewhere('a'), 'far away');
        const directories = [stage.elsewhere('')];
        const updatedPermissions = [{ type: 'addDirectories', directories, destination: 'session' }];
        const agent = await stage.start({
          onPermission: ({ input }) => ({ behavior: 'allow', updatedInput: input, updatedPermissions }),
        });
        await agent.turn(`read ${file}`);
        await agent.turn(`read ${file}`);
        check(agent.asked.length === 1, `it asks ${agent.asked.length} times`);
      },
    },
  ],
};
