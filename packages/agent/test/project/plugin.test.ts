import { describe, expect, it } from 'vitest';
import { expandCommand } from '../../src/project/expand-command.ts';
import { loadPlugin, type Plugin } from '../../src/project/load-plugin.ts';
import { type ProjectFolder, projectFolder } from './project-folder.ts';

async function pluginIn(folder: ProjectFolder, files: Record<string, unknown>): Promise<Plugin | undefined> {
  for (const [name, content] of Object.entries(files)) {
    await folder.file(`plug/${name}`, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return loadPlugin('../plug', folder.location);
}

const MANIFEST = '.claude-plugin/plugin.json';

describe('plugins', () => {
  it('[PF36] bring everything along under their own name, with their folder put in', async () => {
    const folder = await projectFolder();
    const plugin = await pluginIn(folder, {
      [MANIFEST]: { name: 'tools', version: '1.2.3', description: 'Tools', keywords: ['x'] },
      'commands/go.md':
        '---\nallowed-tools: Bash(${CLAUDE_PLUGIN_ROOT}/go *)\n---\nRun ${CLAUDE_PLUGIN_ROOT}/go $0',
      'commands/sub/x.md': 'x',
      'skills/lint/SKILL.md': '---\nname: fancy\n---\nLint in ${CLAUDE_PLUGIN_ROOT}',
      'agents/deep/rev.md':
        '---\nname: rev\ndescription: d\npermissionMode: acceptEdits\nmcpServers: [a]\n---\nIn ${CLAUDE_PLUGIN_ROOT}',
      'agents/bare.md': '---\ndescription: d\n---\nBare',
      'output-styles/terse.md': 'Terse',
      'hooks/hooks.json': {
        hooks: { Stop: [{ hooks: [{ type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}"/a.sh' }] }] },
      },
      '.mcp.json': {
        mcpServers: { db: { command: '${CLAUDE_PLUGIN_ROOT}/db', args: ['${CLAUDE_PLUGIN_ROOT}'] } },
      },
    });
    const root = folder.path('plug');
    expect(plugin).toMatchObject({
      name: 'tools',
      version: '1.2.3',
      description: 'Tools',
      root,
      commands: [
        { name: 'tools:go', allowedTools: [`Bash(${root}/go *)`], source: 'plugin' },
        { name: 'tools:sub:x' },
      ],
      skills: [{ name: 'tools:lint', alias: 'tools:fancy' }],
      outputStyles: [{ name: 'tools:terse', prompt: 'Terse' }],
      hooks: { Stop: [{ hooks: [{ type: 'command', command: `"${root}"/a.sh` }] }] },
      mcpServers: { 'plugin:tools:db': { command: `${root}/db`, args: [root] } },
    });
    // Neither a looser mode nor servers come by way of an agent.
    expect(plugin?.agents).toEqual([
      { name: 'tools:bare', description: 'd', prompt: 'Bare', source: 'plugin' },
      { name: 'tools:deep:rev', description: 'd', prompt: `In ${root}`, source: 'plugin' },
    ]);
    const [go] = plugin?.commands ?? [];
    if (!go) throw new Error('There is no command.');
    expect((await expandCommand(go, '${CLAUDE_PLUGIN_ROOT}', folder.expansion)).text).toBe(
      `Run ${root}/go \${CLAUDE_PLUGIN_ROOT}`,
    );
    expect(folder.problems).toEqual([]);
  });

  it('[PF37] the manifest says where else things lie: skills and configs add to the usual, others replace it', async () => {
    const folder = await projectFolder();
    const plugin = await pluginIn(folder, {
      [MANIFEST]: {
        name: 'p',
        commands: ['./more/', './one/only.md'],
        agents: './team',
        skills: './extra',
        hooks: { Stop: [1] },
        mcpServers: ['./servers.json', { inline: { command: 'x' } }],
      },
      'commands/ignored.md': 'x',
      'more/a.md': 'a',
      'one/only.md': 'only',
      'one/other.md': 'other',
      'team/t.md': '---\ndescription: d\n---\nT',
      'skills/usual/SKILL.md': 'usual',
      'extra/SKILL.md': 'a skill by itself',
      'hooks/hooks.json': { hooks: { Stop: [0] } },
      'servers.json': { s: { command: 's' } },
    });
    expect(plugin).toMatchObject({
      commands: [{ name: 'p:a' }, { name: 'p:only' }],
      agents: [{ name: 'p:t' }],
      skills: [{ name: 'p:usual' }, { name: 'p:extra' }],
      hooks: { Stop: [0, 1] },
      mcpServers: { 'plugin:p:s': { command: 's' }, 'plugin:p:inline': { command: 'x' } },
    });
    expect(folder.problems).toEqual([]);
  });

  it('[PF37] one without a manifest is named after its folder, and may be a single skill', async () => {
    const folder = await projectFolder();
    const plugin = await pluginIn(folder, { 'SKILL.md': '---\nname: solo\n---\nx' });
    expect(plugin).toMatchObject({
      name: 'plug',
      skills: [{ name: 'plug:plug', alias: 'plug:solo' }],
      hooks: {},
    });
  });

  it.each([
    ['no JSON', '{', 'plugin.json: is not JSON'],
    ['no object', '[]', 'plugin.json: is not a JSON object'],
    ['a name that is none', { name: 'a b' }, '`name`'],
    [
      'a path that leads out',
      { name: 'a', commands: '../home' },
      '`commands` must be a path that begins with ./',
    ],
  ])('[PF38] a manifest with %s is named, and the plugin left out', async (_, manifest, problem) => {
    const folder = await projectFolder();
    expect(await pluginIn(folder, { [MANIFEST]: manifest })).toBeUndefined();
    expect(folder.problems).toEqual([expect.stringContaining(problem)]);
  });

  it('[PF38] nothing is read outside of it, and a part that is broken takes no other along', async () => {
    const folder = await projectFolder();
    await folder.file('home/secret/s.md', 'SECRET');
    await folder.file('home/secret/hooks.json', '{"hooks":{"Stop":["SECRET"]}}');
    await folder.link('plug/commands/out', '../../home/secret');
    await folder.link('plug/hooks', '../home/secret');
    const plugin = await pluginIn(folder, {
      [MANIFEST]: { name: 'p', agents: './x/../../home/secret' },
      '.mcp.json': '{"mcpServers":[]}',
      'commands/ok.md': 'ok',
      'skills/bad/SKILL.md': '---\n{\n---\n',
    });
    expect(plugin).toMatchObject({
      commands: [{ name: 'p:ok' }],
      skills: [],
      agents: [],
      hooks: {},
      mcpServers: {},
    });
    expect(folder.problems.toSorted()).toEqual([
      expect.stringMatching(/home\/secret: leads to .*outside of/),
      expect.stringMatching(/`mcpServers` must be an object/),
      expect.stringMatching(/commands\/out: leads to .*outside of/),
      expect.stringMatching(/hooks\.json: leads to .*outside of/),
      expect.stringMatching(/bad\/SKILL\.md:\d: the front matter/),
    ]);
  });

  it('[PF38] a folder that is not there is named', async () => {
    const { location, path, problems } = await projectFolder();
    expect(await loadPlugin(path('nowhere'), location)).toBeUndefined();
    expect(problems).toEqual([`${path('nowhere')}: is not a folder. It is left out.`]);
  });
});
