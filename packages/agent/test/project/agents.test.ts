import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/base/agent-errors.ts';
import { AgentCatalog } from '../../src/project/agent-catalog.ts';
import { agentsOfFlag, agentsOfHost, loadAgents } from '../../src/project/load-agents.ts';
import { BUILT_IN_TOOLS } from '../../src/tools/registry.ts';
import { projectFolder } from './project-folder.ts';

const agentFile = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}\n${more}---\n\nYou are ${name}.\n`;

describe('agent definitions', () => {
  it('[PF22] are read from files of project and person, in folders of any name', async () => {
    const { location, file, problems } = await projectFolder();
    await file(
      'repo/.claude/agents/review/file.md',
      agentFile(
        'reviewer',
        'tools: Read, Bash(git diff:*)\ndisallowedTools: [Write]\nmodel: sonnet\npermissionMode: acceptEdits\nmaxTurns: 5\nskills: pdf\nbackground: true\ncolor: blue\nmcpServers:\n  - github\n  - own: {command: x}\n',
      ),
    );
    await file('home/.claude/agents/tester.md', agentFile('tester', 'tools: "*"\npermissionMode: manual\n'));
    await file('home/.claude/agents/README.md', '# About these agents');
    expect(await loadAgents(location)).toEqual([
      {
        name: 'reviewer',
        description: 'Does reviewer',
        prompt: 'You are reviewer.',
        tools: ['Read', 'Bash(git diff:*)'],
        disallowedTools: ['Write'],
        model: 'sonnet',
        permissionMode: 'acceptEdits',
        maxTurns: 5,
        skills: ['pdf'],
        background: true,
        color: 'blue',
        mcpServers: ['github', { own: { command: 'x' } }],
        source: 'project',
      },
      {
        name: 'tester',
        description: 'Does tester',
        prompt: 'You are tester.',
        permissionMode: 'default',
        source: 'user',
      },
    ]);
    expect(problems).toEqual([]);
  });

  it.each([
    ['name: a:b\ndescription: x', 'name'],
    ['name: -a\ndescription: x', 'name'],
    ['name: a', 'description'],
    ['name: a\ndescription: x\npermissionMode: yolo', 'permissionMode'],
    ['name: a\ndescription: x\nmaxTurns: many', 'maxTurns'],
    ['name: a\ndescription: x\nmcpServers: [1]', 'mcpServers'],
  ])('[PF22] %j is a problem that names the field', async (fields, field) => {
    const { location, file, problems } = await projectFolder();
    const bad = await file('repo/.claude/agents/bad.md', `---\n${fields}\n---\nx`);
    await file('repo/.claude/agents/good.md', agentFile('good'));
    expect(await loadAgents(location)).toMatchObject([{ name: 'good' }]);
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${bad}: \`${field}\` must be`))]);
  });

  it('[PF23] of two with the same name the nearer holds: host, flag, project, person, plugin, built-in', async () => {
    const { location, file } = await projectFolder('repo/web');
    for (const name of ['Plan', 'a', 'b']) await file(`home/.claude/agents/${name}.md`, agentFile(name));
    for (const name of ['a', 'b']) await file(`repo/.claude/agents/${name}.md`, agentFile(name));
    await file('repo/web/.claude/agents/near.md', agentFile('a', 'color: near\n'));
    const given = { description: 'x', prompt: 'y' };
    const catalog = new AgentCatalog(await loadAgents(location));
    const sources = (): string[] => catalog.list().map(({ name, source }) => `${name} ${source}`);
    expect(sources()).toEqual([
      'general-purpose built-in',
      'Explore built-in',
      'Plan user',
      'a project',
      'b project',
    ]);
    expect(catalog.find('a')?.color).toBe('near');
    catalog.add(agentsOfHost({ a: given }, location.onProblem));
    catalog.add(agentsOfFlag(JSON.stringify({ a: given, b: given })));
    catalog.add([{ name: 'Explore', description: '', prompt: '', source: 'plugin' }]);
    expect(sources()).toEqual([
      'general-purpose built-in',
      'Explore plugin',
      'Plan user',
      'a host',
      'b flag',
    ]);
    expect(catalog.find('nobody')).toBeUndefined();
  });

  it('[PF24] --agents takes JSON or a file', async () => {
    const { file } = await projectFolder();
    const json = JSON.stringify({ a: { description: 'A', prompt: '', tools: ['Read'], maxTurns: 3 } });
    const wanted = [
      { name: 'a', description: 'A', prompt: '', tools: ['Read'], maxTurns: 3, source: 'flag' },
    ];
    expect(agentsOfFlag(` ${json}`)).toEqual(wanted);
    expect(agentsOfFlag(await file('agents.json', json))).toEqual(wanted);
  });

  it.each([
    ['{"a":', /--agents must be a JSON object/],
    ['[]', /--agents must be a JSON object/],
    ['nowhere.json', /--agents must be a JSON object, or a file/],
    ['{"a":1}', /--agents: a: must be an object/],
    ['{"a":{"prompt":"x"}}', /--agents: a: `description`/],
    ['{"a":{"description":"x"}}', /--agents: a: `prompt`/],
    ['{"a:b":{"description":"x","prompt":"x"}}', /--agents: a:b: `name`/],
    ['{"a":{"description":"x","prompt":"x","tools":{}},"b":2}', /a: `tools`[^]*b: must be/],
  ])('[PF24] --agents %s is refused with what is wrong', (value, message) => {
    expect(() => agentsOfFlag(value)).toThrow(UsageError);
    expect(() => agentsOfFlag(value)).toThrow(message);
  });

  it('[PF24] a host whose definition is wrong keeps the others', () => {
    const problems: string[] = [];
    const given = { good: { description: 'x', prompt: 'y', extra: 1 }, bad: { prompt: 'y' }, worse: null };
    const agents = agentsOfHost(given, (text) => problems.push(text));
    expect(agents).toEqual([{ name: 'good', description: 'x', prompt: 'y', source: 'host' }]);
    expect(problems).toEqual([
      expect.stringMatching(/^initialize\.agents: bad: `description`/),
      expect.stringMatching(/^initialize\.agents: worse: must be an object/),
    ]);
  });

  it('[PF25] every session has general-purpose, Explore and Plan; the last two can change nothing', () => {
    const catalog = new AgentCatalog();
    expect(catalog.list().map(({ name }) => name)).toEqual(['general-purpose', 'Explore', 'Plan']);
    expect(catalog.find('general-purpose')?.tools).toBeUndefined();
    // What fetches pages is asked about, and changes nothing here.
    const changing = BUILT_IN_TOOLS.filter(({ isReadOnly }) => !isReadOnly)
      .map(({ name }) => name)
      .filter((name) => !['WebFetch', 'WebSearch'].includes(name));
    expect(changing).toContain('Bash');
    for (const name of ['Explore', 'Plan']) {
      expect(catalog.find(name)?.tools).toContain('Grep');
      expect(catalog.find(name)?.tools?.filter((tool) => changing.includes(tool))).toEqual([]);
    }
  });

  it('[PF17] without trust a project’s agents have no servers of their own and no looser mode', async () => {
    const { location, file } = await projectFolder();
    const servers = 'mcpServers: [{own: {command: evil}}]\n';
    await file('repo/.claude/agents/a.md', agentFile('a', `permissionMode: acceptEdits\n${servers}`));
    await file('repo/.claude/agents/b.md', agentFile('b', 'permissionMode: plan\n'));
    await file('home/.claude/agents/c.md', agentFile('c', `permissionMode: acceptEdits\n${servers}`));
    const agents = await loadAgents({ ...location, trustsProject: false });
    expect(
      agents.map(({ name, permissionMode, mcpServers }) => [name, permissionMode, mcpServers?.length]),
    ).toEqual([
      ['a', undefined, undefined],
      ['b', 'plan', undefined],
      ['c', 'acceptEdits', 1],
    ]);
  });

  it('[PF26] no file switches permissions off', async () => {
    const { location, file, problems } = await projectFolder();
    await file('repo/.claude/agents/a.md', agentFile('a', 'permissionMode: bypassPermissions\n'));
    await file('home/.claude/agents/b.md', agentFile('b', 'permissionMode: bypassPermissions\n'));
    expect(await loadAgents(location)).toEqual([]);
    expect(problems.toSorted()).toEqual([expect.stringContaining('b.md'), expect.stringContaining('a.md')]);
  });
});
