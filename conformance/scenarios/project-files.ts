import { check, checkFits } from '../check.ts';
import { deny } from '../conversation.ts';
import type { DrivenAgent } from '../driven-agent.ts';
import { fieldsOf, listOf } from '../messages.ts';
import { call, UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Stage, StartOptions } from '../stage.ts';

/** An agent in a folder that the person trusts, with these files of the project and of the person. */
async function withFiles(
  stage: Stage,
  files: { project?: Record<string, string>; person?: Record<string, string> },
  options: StartOptions = { args: UNASKED },
): Promise<DrivenAgent> {
  await stage.trust();
  for (const [name, text] of Object.entries(files.project ?? {})) await stage.write(stage.path(name), text);
  for (const [name, text] of Object.entries(files.person ?? {}))
    await stage.write(stage.personal(name), text);
  return stage.start(options);
}

const POET = '---\nname: poet\ndescription: writes poems about things\n---\nWrite a poem about $ARGUMENTS.\n';

export const projectFiles: Part = {
  title: 'Commands, skills and memory',
  scenarios: [
    {
      name: 'a command of the person: its file is the prompt, with the arguments in it',
      async play(stage) {
        const agent = await withFiles(stage, { person: { 'commands/hello.md': 'say hello $ARGUMENTS\n' } });
        checkFits((await agent.turn('/hello big world')).result, { result: /^hello big world/ });
      },
    },
    {
      name: 'initialize lists commands with what they do and take; init lists their names',
      async play(stage) {
        const text = '---\ndescription: greets someone\nargument-hint: <name>\n---\nsay hello $ARGUMENTS';
        const agent = await withFiles(stage, { person: { 'commands/hello.md': text } });
        const { commands } = await agent.control('initialize');
        const hello = listOf(commands)
          .map(fieldsOf)
          .find(({ name }) => name === 'hello');
        checkFits(hello, { description: /^greets someone/, argumentHint: '<name>' });
        check(listOf((await agent.init())['slash_commands']).includes('hello'), 'init does not list it');
      },
    },
    {
      name: 'a command of the project in a folder is named after both',
      async play(stage) {
        const agent = await withFiles(stage, {
          project: { '.claude/commands/git/tidy.md': 'say tidy $0, $1' },
        });
        checkFits((await agent.turn('/git:tidy one two')).result, { result: 'tidy one, two' });
      },
    },
    {
      name: 'arguments without a place in the file follow at its end',
      async play(stage) {
        const agent = await withFiles(stage, { person: { 'commands/hello.md': 'say hello' } });
        checkFits((await agent.turn('/hello big world')).result, { result: /^hello[\s\S]*big world/ });
      },
    },
    {
      name: 'a command line in a command is run, and what it prints stands in its place',
      async play(stage) {
        const text = "---\nallowed-tools: Bash(echo:*)\n---\nsay it is !`echo five` o'clock";
        const agent = await withFiles(stage, { person: { 'commands/time.md': text } }, {});
        checkFits((await agent.turn('/time')).result, { result: /^it is five o'clock/ });
      },
    },
    {
      name: 'a file that a command mentions comes along',
      async play(stage) {
        const agent = await withFiles(stage, {
          person: { 'commands/look.md': 'say look at @notes.txt' },
          project: { 'notes.txt': 'the cake is a lie' },
        });
        await agent.turn('/look');
        check(stage.sent().includes('the cake is a lie'), 'the model does not see it');
      },
    },
    {
      name: 'allowed-tools of a command needs no asking in its turn',
      async play(stage) {
        const text = '---\nallowed-tools: Bash(git:*)\n---\nrun git init -q $ARGUMENTS';
        const agent = await withFiles(
          stage,
          { person: { 'commands/make.md': text } },
          { onPermission: deny() },
        );
        await agent.turn('/make a');
        checkFits([agent.asked.length, await stage.read(stage.path('a/.git/HEAD'))], [0, /./]);
      },
    },
    {
      name: 'model of a command is asked in its turn',
      async play(stage) {
        const text = '---\nmodel: haiku\n---\nsay $ARGUMENTS';
        const agent = await withFiles(stage, { person: { 'commands/cheap.md': text } });
        await agent.turn('/cheap words');
        checkFits(stage.lastRequest(), { model: /haiku/ });
        await agent.turn('say dear');
        check(!String(stage.lastRequest()['model']).includes('haiku'), 'it keeps the model');
      },
    },
    {
      name: 'a command that nobody knows harms nothing',
      async play(stage) {
        const agent = await stage.start();
        checkFits((await agent.turn('/nonsense x')).result, { subtype: 'success', result: /nonsense/ });
        checkFits((await agent.turn('say hi')).result, { result: 'hi' });
      },
    },
    {
      name: 'a skill is listed for the host, and described to the model',
      async play(stage) {
        const agent = await withFiles(stage, { person: { 'skills/poet/SKILL.md': POET } });
        check(listOf((await agent.init())['skills']).includes('poet'), 'init does not list it');
        check(stage.sent().includes('writes poems about things'), 'the model does not know it');
      },
    },
    {
      name: 'a skill is called with a slash',
      async play(stage) {
        const agent = await withFiles(stage, { project: { '.claude/skills/poet/SKILL.md': POET } });
        checkFits((await agent.turn('/poet roses')).result, { result: /Write a poem about roses/ });
      },
    },
    {
      name: 'the model uses a skill with the tool Skill, and is told where it lies',
      async play(stage) {
        const agent = await withFiles(stage, { person: { 'skills/poet/SKILL.md': POET } });
        const { tool } = await agent.turn(call('Skill', { skill: 'poet', args: 'tulips' }));
        checkFits(tool, { isError: false, structured: { success: true, commandName: 'poet' } });
        check(stage.sent().includes('Write a poem about tulips'), 'the model does not see it');
        check(stage.sent().includes('skills/poet'), 'the model does not know where');
      },
    },
    {
      name: 'a skill that does not exist is an error for the model',
      async play(stage) {
        const agent = await withFiles(stage, { person: { 'skills/poet/SKILL.md': POET } });
        checkFits((await agent.turn(call('Skill', { skill: 'nobody' }))).tool, {
          isError: true,
          text: /nobody/,
        });
      },
    },
    {
      name: 'a skill that is not for the model is not described to it',
      async play(stage) {
        const text =
          '---\nname: poet\ndescription: writes odd poems\ndisable-model-invocation: true\n---\nsay ode';
        const agent = await withFiles(stage, { person: { 'skills/poet/SKILL.md': text } });
        await agent.turn('say hi');
        check(!stage.sent().includes('writes odd poems'), 'it is');
        checkFits((await agent.turn(call('Skill', { skill: 'poet' }))).tool, { isError: true });
      },
    },
    {
      name: 'the model is sent CLAUDE.md of person and project, with what it imports',
      async play(stage) {
        const agent = await withFiles(stage, {
          person: { 'CLAUDE.md': 'The person likes tea.' },
          project: {
            'CLAUDE.md': 'The project uses tabs.\n@docs/more.md\n',
            'docs/more.md': 'Wide ones.',
            'CLAUDE.local.md': 'Only here: cake.',
          },
        });
        await agent.turn('say hi');
        for (const words of ['likes tea', 'uses tabs', 'Wide ones', 'Only here: cake'])
          check(stage.sent().includes(words), `"${words}" is missing`);
      },
    },
    {
      name: 'without its setting source the memory of the project is not sent',
      async play(stage) {
        const agent = await withFiles(
          stage,
          { project: { 'CLAUDE.md': 'The project uses tabs.' } },
          { args: ['--setting-sources', 'user'] },
        );
        await agent.turn('say hi');
        check(!stage.sent().includes('uses tabs'), 'it is');
      },
    },
    {
      name: 'an output style that does not exist is reported as it was named',
      async play(stage) {
        const agent = await stage.start({ args: ['--settings', '{"outputStyle":"Nobody"}'] });
        checkFits(await agent.control('initialize'), { output_style: 'Nobody' });
        checkFits(await agent.init(), { output_style: 'Nobody' });
      },
    },
    {
      name: 'an output style from a file is used when the settings name it',
      async play(stage) {
        const style = '---\nname: Pirate\ndescription: arr\n---\nTalk like a pirate.';
        const agent = await withFiles(stage, {
          person: { 'output-styles/pirate.md': style, 'settings.json': '{"outputStyle":"Pirate"}' },
        });
        checkFits(await agent.init(), { output_style: 'Pirate' });
        check(stage.sent().includes('Talk like a pirate.'), 'the model is not told');
      },
    },
    {
      name: '--plugin-dir brings commands and sub-agents under the name of the plugin',
      async play(stage) {
        const plugin = stage.elsewhere('tool-box');
        await stage.write(`${plugin}/.claude-plugin/plugin.json`, '{"name":"tool-box","version":"1.0.0"}');
        await stage.write(`${plugin}/commands/saw.md`, 'say sawed $ARGUMENTS');
        await stage.write(
          `${plugin}/agents/smith.md`,
          '---\nname: smith\ndescription: forges\n---\nYou forge.',
        );
        const agent = await stage.start({ args: ['--plugin-dir', plugin] });
        const { agents, plugins } = await agent.init();
        check(listOf(agents).includes('tool-box:smith'), 'the sub-agent is not listed');
        check(
          listOf(plugins)
            .map(fieldsOf)
            .some(({ name }) => name === 'tool-box'),
          'it is not listed',
        );
        checkFits((await agent.turn('/tool-box:saw wood')).result, { result: /^sawed wood/ });
      },
    },
  ],
};
