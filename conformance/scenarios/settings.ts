import type { JsonObject } from '@signalbox/protocol';
import { check, checkFits } from '../check.ts';
import { deny } from '../conversation.ts';
import { UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

/** Where settings are kept, the weakest first. */
const FILES = {
  person: (stage: Stage) => stage.personal('settings.json'),
  project: (stage: Stage) => stage.path('.claude/settings.json'),
  local: (stage: Stage) => stage.path('.claude/settings.local.json'),
};

type Source = keyof typeof FILES;

/** Settings of several sources, in a folder that the person trusts. */
async function write(stage: Stage, settings: Partial<Record<Source, JsonObject>>): Promise<void> {
  await stage.trust();
  for (const source of ['person', 'project', 'local'] as const) {
    const wanted = settings[source];
    if (wanted) await stage.write(FILES[source](stage), JSON.stringify(wanted));
  }
}

/** A command that needs a permission, and shows that it ran. */
const INIT = 'run git init -q a';
const initialised = async (stage: Stage) => (await stage.read(stage.path('a/.git/HEAD'))) !== undefined;
const GIT = { permissions: { allow: ['Bash(git:*)'] } };

export const settings: Part = {
  title: 'Settings',
  scenarios: [
    ...(['person', 'project', 'local'] as const).map((source) => ({
      name: `rules from the settings of the ${source === 'local' ? 'person for this project' : source} count`,
      async play(stage: Stage) {
        await write(stage, { [source]: GIT });
        const agent = await stage.start({ onPermission: deny() });
        await agent.turn(INIT);
        checkFits([agent.asked.length, await initialised(stage)], [0, true]);
      },
    })),
    {
      name: 'rules from --settings count, as JSON and as a file',
      async play(stage) {
        const file = await stage.write(stage.elsewhere('more.json'), JSON.stringify(GIT));
        for (const given of [JSON.stringify(GIT), file]) {
          const agent = await stage.start({ args: ['--settings', given], onPermission: deny() });
          await agent.turn(INIT);
          checkFits([agent.asked.length, await initialised(stage)], [0, true]);
        }
      },
    },
    {
      name: 'a rule of the project that denies beats one of the person that allows',
      async play(stage) {
        await write(stage, { person: GIT, project: { permissions: { deny: ['Bash(git init:*)'] } } });
        const agent = await stage.start();
        checkFits((await agent.turn(INIT)).tool, { isError: true });
        check(!(await initialised(stage)), 'it ran');
      },
    },
    {
      name: 'a rule that asks beats one that allows',
      async play(stage) {
        await write(stage, {
          person: { permissions: { allow: ['Bash(git:*)'], ask: ['Bash(git init:*)'] } },
        });
        const agent = await stage.start({ onPermission: deny() });
        await agent.turn(INIT);
        checkFits([agent.asked.length, await initialised(stage)], [1, false]);
      },
    },
    {
      name: '--setting-sources "" leaves all settings out',
      async play(stage) {
        await write(stage, { person: GIT, project: GIT, local: GIT });
        const agent = await stage.start({ args: ['--setting-sources', ''], onPermission: deny() });
        await agent.turn(INIT);
        checkFits([agent.asked.length, await initialised(stage)], [1, false]);
      },
    },
    {
      name: 'variables from settings reach the commands',
      async play(stage) {
        await write(stage, { person: { env: { SIGNAL: 'green' } } });
        const agent = await stage.start({ args: UNASKED });
        checkFits((await agent.turn('run echo "[$SIGNAL]"')).tool, { text: '[green]' });
      },
    },
    {
      name: 'of one setting in several places the nearest counts',
      async play(stage) {
        const env = (SIGNAL: string) => ({ env: { SIGNAL } });
        await write(stage, { person: env('person'), project: env('project'), local: env('local') });
        const seen = async (args: readonly string[]) => {
          const agent = await stage.start({ args: [...UNASKED, ...args] });
          return (await agent.turn('run echo "[$SIGNAL]"')).tool.text;
        };
        checkFits(await seen([]), '[local]');
        checkFits(await seen(['--setting-sources', 'user,project']), '[project]');
        checkFits(await seen(['--setting-sources', 'user']), '[person]');
        checkFits(await seen(['--settings', JSON.stringify(env('flag'))]), '[flag]');
      },
    },
    {
      name: 'the model of the settings is asked, but --model comes first',
      misses: { '2.1.37': 'asks its own default' },
      async play(stage) {
        await write(stage, { person: { model: 'haiku' } });
        checkFits(await (await stage.start()).init(), { model: /haiku/ });
        const model = 'claude-sonnet-4-5-20250929';
        checkFits(await (await stage.start({ args: ['--model', model] })).init(), { model });
      },
    },
    {
      name: 'defaultMode is the mode, but --permission-mode comes first',
      async play(stage) {
        await write(stage, { person: { permissions: { defaultMode: 'acceptEdits' } } });
        checkFits(await (await stage.start()).init(), { permissionMode: 'acceptEdits' });
        const args = ['--permission-mode', 'plan'];
        checkFits(await (await stage.start({ args })).init(), { permissionMode: 'plan' });
      },
    },
    {
      name: 'additionalDirectories may be read without asking',
      async play(stage) {
        const file = await stage.write(stage.elsewhere('notes.txt'), 'far away');
        const agent = await stage.start({ onPermission: deny() });
        await agent.turn(`read ${file}`);
        checkFits(agent.asked.length, 1, 'the questions without it');
        const permissions = { additionalDirectories: [stage.elsewhere('.')] };
        await write(stage, { person: { permissions } });
        const allowed = await stage.start({ onPermission: deny() });
        checkFits((await allowed.turn(`read ${file}`)).tool, { isError: false, text: /far away/ });
      },
    },
    {
      name: '--settings that makes no sense is refused',
      async play(stage) {
        const { code, stdout, stderr } = await stage.run(['-p', '--settings', '{nonsense', 'say hi']);
        checkFits([code, stdout + stderr], [1, /settings/i]);
      },
    },
  ],
};
