import { existsSync } from 'node:fs';
import type { JsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { agentInProject, lastInit } from './agent-in-project.ts';

const UNASKED = ['--dangerously-skip-permissions'];

/** Refuses whatever it is asked, and remembers what that was. */
function refusing(): { asked: unknown[]; onPermission: (request: JsonObject) => JsonObject } {
  const asked: unknown[] = [];
  return {
    asked,
    onPermission: ({ input }) => {
      asked.push(Object(input).command);
      return { behavior: 'deny', message: 'not today' };
    },
  };
}

const MAKE = '---\nallowed-tools: Bash(touch:*)\n---\nrun touch $ARGUMENTS';
const POET = '---\nname: poet\ndescription: writes poems\n---\nA poem about $ARGUMENTS.';

describe('commands in the loop', () => {
  it('[PF60] what a command allows needs no asking during its turn, and only then', async () => {
    const { asked, onPermission } = refusing();
    const agent = await agentInProject({ files: { 'home/.claude/commands/make.md': MAKE }, onPermission });
    await agent.turn('/make a');
    expect(asked).toEqual([]);
    expect(existsSync(agent.project.path('repo/a'))).toBe(true);
    await agent.turn('run touch b');
    expect(asked).toEqual(['touch b']);
  });

  it('[PF60] a command of a project that nobody trusts allows nothing', async () => {
    const { asked, onPermission } = refusing();
    const files = { 'repo/.claude/commands/make.md': MAKE };
    const agent = await agentInProject({ files, isTrusted: false, onPermission });
    await agent.turn('/make a');
    expect(asked).toEqual(['touch a']);
  });

  it('[PF61] a line that a command wants to run is asked for; refused, the model is not bothered', async () => {
    const { asked, onPermission } = refusing();
    const files = { 'home/.claude/commands/look.md': 'say !`touch a`' };
    const agent = await agentInProject({ files, onPermission });
    const { result } = await agent.turn('/look');
    expect(asked).toEqual(['touch a']);
    expect(result).toMatchObject({ is_error: true, errors: [expect.stringContaining('not today')] });
    expect(agent.model.requests).toHaveLength(0);
    expect((await agent.turn('say hi')).result).toMatchObject({ result: 'hi' });
  });

  it('[PF61] a line that a rule allows is run, and what it prints is part of the prompt', async () => {
    const files = { 'home/.claude/commands/look.md': 'say it is !`echo five`' };
    const agent = await agentInProject({ files, args: ['--allowedTools', 'Bash(echo:*)'] });
    expect((await agent.turn('/look')).result).toMatchObject({ result: 'it is five' });
  });

  it('[PF62] a command is answered by the model it names, and the next prompt by the usual one', async () => {
    const files = { 'home/.claude/commands/cheap.md': '---\nmodel: haiku\n---\nsay $ARGUMENTS' };
    const agent = await agentInProject({ files });
    await agent.turn('/cheap words');
    expect(Object(agent.model.requests.at(-1)?.body).model).toContain('haiku');
    await agent.turn('say hi');
    expect(Object(agent.model.requests.at(-1)?.body).model).not.toContain('haiku');
  });

  it('[PF63] commands and skills are listed for the host, with what they do and take', async () => {
    const hello = '---\ndescription: greets\nargument-hint: <name>\n---\nsay hello $ARGUMENTS';
    const agent = await agentInProject({
      files: { 'repo/.claude/commands/hello.md': hello, 'home/.claude/skills/poet/SKILL.md': POET },
    });
    const { commands } = await agent.peer.request({ subtype: 'initialize' });
    expect(commands).toEqual(
      expect.arrayContaining([
        { name: 'hello', description: 'greets', argumentHint: '<name>' },
        { name: 'poet', description: 'writes poems', argumentHint: '' },
      ]),
    );
    await agent.turn('say hi');
    expect(lastInit(agent.messages)).toMatchObject({
      slash_commands: expect.arrayContaining(['hello', 'poet']),
      skills: ['poet'],
    });
  });
});

describe('skills in the loop', () => {
  it('[PF64] the model is told of skills and uses one; a person calls it with a slash', async () => {
    const agent = await agentInProject({ files: { 'home/.claude/skills/poet/SKILL.md': POET } });
    const { tool } = await agent.turn('call Skill {"skill":"poet","args":"tulips"}');
    expect(agent.sent()).toContain('writes poems');
    expect(tool).toMatchObject({ is_error: false, content: expect.stringContaining('A poem about tulips.') });
    expect((await agent.turn('/poet roses')).result).toMatchObject({
      result: expect.stringContaining('A poem about roses.'),
    });
  });

  it('[PF64] without skills there is no tool for them', async () => {
    const agent = await agentInProject();
    await agent.turn('say hi');
    expect(lastInit(agent.messages).tools).not.toContain('Skill');
  });
});

describe('what the model is told', () => {
  it('[PF65] memory of person and project comes with every request, beneath a prompt of the host too', async () => {
    const agent = await agentInProject({
      files: {
        'home/.claude/CLAUDE.md': 'The person likes tea.',
        'repo/CLAUDE.md': 'The project uses tabs.\n@more.md',
        'repo/more.md': 'Wide ones.',
      },
      args: ['--system-prompt', 'You are a parrot.'],
    });
    await agent.turn('say hi');
    for (const words of ['You are a parrot.', 'likes tea', 'uses tabs', 'Wide ones'])
      expect(agent.sent()).toContain(words);
  });

  it('[PF65] a source that is not asked for tells nothing', async () => {
    const files = { 'home/.claude/CLAUDE.md': 'The person likes tea.', 'repo/CLAUDE.md': 'Tabs.' };
    const agent = await agentInProject({ files, args: ['--setting-sources', ''] });
    await agent.turn('say hi');
    expect(agent.sent()).not.toMatch(/likes tea|Tabs\./);
  });

  it('[PF510] what folders below and rules with globs say is told once, with the first file it is for', async () => {
    const agent = await agentInProject({
      files: {
        'repo/web/CLAUDE.md': 'Web pages are drawn by hand.',
        'repo/web/.claude/skills/poet/SKILL.md': POET,
        'repo/.claude/rules/styles.md': '---\npaths: web/**/*.css\n---\nColours have names.',
        'repo/web/a.css': 'a {}',
        'repo/web/b.ts': 'let b;',
        'repo/c.css': 'c {}',
      },
    });
    const read = (name: string) =>
      agent.turn(`call Read ${JSON.stringify({ file_path: agent.project.path(name) })}`);
    const count = (words: string): number => agent.sent().split(words).length - 1;
    await read('repo/c.css');
    expect(agent.sent()).not.toMatch(/drawn by hand|have names|writes poems/);
    await read('repo/web/b.ts');
    expect([count('drawn by hand'), count('have names')]).toEqual([1, 0]);
    expect(agent.sent()).toContain('writes poems');
    await read('repo/web/a.css');
    expect([count('drawn by hand'), count('have names')]).toEqual([1, 1]);
    await agent.turn('/clear');
    await read('repo/web/a.css');
    expect([count('drawn by hand'), count('have names')]).toEqual([1, 1]);
  });

  it('[PF66] an output style takes the place of the usual instructions, unless it keeps them', async () => {
    const style = (keeps: boolean) => ({
      'home/.claude/output-styles/pirate.md': `---\nname: Pirate\nkeep-coding-instructions: ${keeps}\n---\nTalk like a pirate.`,
      'home/.claude/settings.json': '{"outputStyle":"Pirate"}',
    });
    for (const keeps of [true, false]) {
      const agent = await agentInProject({ files: style(keeps) });
      await agent.turn('say hi');
      expect(lastInit(agent.messages)).toMatchObject({ output_style: 'Pirate' });
      expect(agent.sent()).toContain('Talk like a pirate.');
      expect(agent.sent().includes('You are a coding agent.')).toBe(keeps);
    }
  });

  it('[PF700] an output style is reported as it was named, also where there is none of that name', async () => {
    for (const outputStyle of ['Nobody', 'explanatory']) {
      const agent = await agentInProject({ args: ['--settings', JSON.stringify({ outputStyle })] });
      expect(await agent.peer.request({ subtype: 'initialize' })).toMatchObject({
        output_style: outputStyle,
        available_output_styles: ['default', 'Explanatory', 'Learning'],
      });
      await agent.turn('say hi');
      expect(lastInit(agent.messages)).toMatchObject({ output_style: outputStyle });
      const { stderr } = await agent.finish();
      expect(stderr.includes('There is no output style')).toBe(outputStyle === 'Nobody');
    }
  });
});

describe('what files bring along', () => {
  it('[PF67] a sub-agent in a file is one, with its prompt and its tools', async () => {
    const parrot = '---\nname: parrot\ndescription: repeats\ntools: Bash\n---\nYou are a parrot.';
    const agent = await agentInProject({ files: { 'repo/.claude/agents/parrot.md': parrot }, args: UNASKED });
    const input = { description: 'a part', prompt: 'run echo below', subagent_type: 'parrot' };
    const { result } = await agent.turn(`call Task ${JSON.stringify(input)}`);
    expect(result).toMatchObject({ result: expect.stringContaining('done: below') });
    const bodies: JsonObject[] = agent.model.requests.map(({ body }) => Object(body));
    const own = bodies.find(({ system }) => JSON.stringify(system).includes('You are a parrot.'));
    expect(own?.tools).toMatchObject([{ name: 'Bash' }]);
  });

  it('[PF68] a plugin brings commands, sub-agents, hooks and servers under its name', async () => {
    const hook = { type: 'command', command: 'touch "$CLAUDE_PROJECT_DIR/../hooked"' };
    const agent = await agentInProject({
      files: {
        'plug/.claude-plugin/plugin.json': '{"name":"tool-box"}',
        'plug/commands/saw.md': 'run echo sawed $ARGUMENTS',
        'plug/agents/smith.md': '---\nname: smith\ndescription: forges\n---\nYou forge.',
        'plug/hooks/hooks.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
        'plug/.mcp.json': JSON.stringify({ mcpServers: { lost: { command: '/nowhere/at/all' } } }),
      },
      args: [...UNASKED, '--plugin-dir', '../plug'],
    });
    expect((await agent.turn('/tool-box:saw wood')).tool).toMatchObject({ content: 'sawed wood' });
    expect(existsSync(agent.project.path('hooked'))).toBe(true);
    expect(lastInit(agent.messages)).toMatchObject({
      agents: expect.arrayContaining(['tool-box:smith']),
      mcp_servers: [{ name: expect.stringContaining('tool-box'), status: 'failed' }],
      plugins: [{ name: 'tool-box', path: agent.project.path('plug') }],
    });
  });

  it('[PF69] a file that cannot be used is one line for the person, and the rest counts', async () => {
    const agent = await agentInProject({
      files: {
        'home/.claude/commands/broken.md': '---\ndescription: [never closed\n---\nsay nothing',
        'home/.claude/commands/fine.md': 'say fine',
      },
    });
    expect((await agent.turn('/fine')).result).toMatchObject({ result: 'fine' });
    const { stderr } = await agent.finish();
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('broken.md')]);
  });
});
