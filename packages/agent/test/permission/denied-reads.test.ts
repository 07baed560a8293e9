import { describe, expect, it } from 'vitest';
import { readFilter } from '../../src/permission/read-filter.ts';
import { editTool } from '../../src/tools/edit.ts';
import { grepToolOn } from '../../src/tools/grep.ts';
import { readTool } from '../../src/tools/read.ts';
import { ownGrep } from '../../src/tools/search/own-grep.ts';
import { ripgrep } from '../../src/tools/search/ripgrep.ts';
import { agentInProject } from '../agent-in-project.ts';
import { openBench } from '../tools/tool-bench.ts';

const RULES = JSON.stringify({
  permissions: { deny: ['Read(.env)', 'Read(./alias/key)'], ask: ['Read(asked)'] },
});

const FILES = {
  'repo/.env': 'TOKEN=secret-1\n',
  'repo/sub/.env': 'TOKEN=secret-2\n',
  'repo/asked': 'TOKEN=secret-3\n',
  'repo/real/key': 'TOKEN=secret-4\n',
  'repo/open.txt': 'TOKEN=none\n',
};

function call(tool: string, input: object): string {
  return `call ${tool} ${JSON.stringify(input)}`;
}

describe('what rules keep from being read', () => {
  it('[PM478] is neither shown nor named by a search', async () => {
    const agent = await agentInProject({
      args: ['--settings', RULES],
      files: FILES,
      links: { 'repo/alias': 'real' },
    });
    for (const output_mode of ['content', 'files_with_matches', 'count']) {
      const { tool } = await agent.turn(
        call('Grep', { pattern: 'TOKEN', output_mode, glob: '*', path: '.' }),
      );
      expect(tool.content, output_mode).toContain('open.txt');
      expect(tool.content, output_mode).toContain('real/key');
      expect(tool.content, output_mode).not.toMatch(/secret-[123]|\.env|asked/);
    }
    const { tool: globbed } = await agent.turn(call('Glob', { pattern: '**/*' }));
    expect(globbed.content).toContain('open.txt');
    expect(globbed.content).not.toMatch(/\.env|asked/);
    const { tool: byAlias } = await agent.turn(
      call('Grep', { pattern: 'TOKEN', path: 'alias', output_mode: 'content' }),
    );
    expect(byAlias.content).toBe('No matches found');
    for (const path of ['.env', 'sub/.env']) {
      const { tool } = await agent.turn(call('Grep', { pattern: 'TOKEN', path, output_mode: 'content' }));
      expect(tool).toMatchObject({ is_error: true, content: expect.stringContaining('deny rule') });
    }
  });

  it.each([
    ['ripgrep', ripgrep],
    ['our own', ownGrep],
  ])('[PM478] leaves the other lines of a search as they are, with %s', async (_name, engine) => {
    const { session, run, file, folder } = await openBench();
    for (const name of ['a', 'b', 'c']) await file(name, `1\nfind - ${name}:2\n3\n4\nfind 5\n6\n`);
    const deny = [
      { toolName: 'Read', ruleContent: './a' },
      { toolName: 'Read', ruleContent: './b' },
    ];
    const rules = { deny, ask: [], allow: [] };
    Object.assign(session, {
      readFilter: () => readFilter('Grep', rules, { cwd: folder, home: session.home }),
    });
    const tool = grepToolOn(engine);
    const found = await run(tool, { pattern: 'find', output_mode: 'content', '-A': 1 });
    expect(found.content).toBe('c:2:find - c:2\nc-3-3\n--\nc:5:find 5\nc-6-6');
    const bare = await run(tool, { pattern: 'find', output_mode: 'content', '-n': false });
    expect(bare.content).toBe('c:find - c:2\nc:find 5');
    const counted = await run(tool, { pattern: 'find', output_mode: 'count' });
    expect(counted.content).toContain('c:2\nFound 2 matches in 1 files.');
  });

  it('[PM600] is not named where a file is missing', async () => {
    const { session, run, file, folder, path } = await openBench();
    await file('.env', 'TOKEN=secret');
    await file('open.env', '');
    const rules = { deny: [{ toolName: 'Read', ruleContent: './.env' }], ask: [], allow: [] };
    const mayRead = readFilter('Read', rules, { cwd: folder, home: session.home });
    const attempts = [
      () => run(readTool, { file_path: '.en' }),
      () => run(editTool, { file_path: '.en', old_string: 'a', new_string: 'b' }),
      () => run(grepToolOn(ownGrep), { pattern: 'x', path: '.en' }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(`Did you mean ${path('.env')}?`);
    Object.assign(session, { readFilter: () => mayRead });
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(`You are in ${folder}.`);
    await expect(run(readTool, { file_path: 'opn.env' })).rejects.toThrow('Did you mean');
  });

  it('[PM479] is not suggested to a host, nor read for one, by any name', async () => {
    const links = { 'repo/alias': 'real', 'repo/innocent': '.env' };
    const agent = await agentInProject({ args: ['--settings', RULES], files: FILES, links });
    const ask = (subtype: string, more: object) => agent.peer.request({ subtype, ...more });
    const suggested = JSON.stringify(await ask('file_suggestions', { query: 'e' }));
    expect(suggested).toContain('open.txt');
    expect(suggested).not.toMatch(/\.env|asked/);
    expect(await ask('read_file', { path: 'open.txt' })).toMatchObject({ contents: 'TOKEN=none\n' });
    for (const path of ['.env', 'asked', 'alias/key', 'innocent'])
      await expect(ask('read_file', { path }), path).rejects.toThrow('read denied');
  });

  it('[PM479] is no memory, although CLAUDE.md is a link to it or mentions a link to it', async () => {
    const files = { ...FILES, 'repo/.claude/CLAUDE.md': 'See @../innocent and @../open.txt' };
    const agent = await agentInProject({
      args: ['--settings', RULES],
      files,
      links: { 'repo/innocent': '.env', 'repo/CLAUDE.md': 'sub/.env' },
    });
    await agent.turn('say hi');
    expect(agent.sent()).toContain('TOKEN=none');
    expect(agent.sent()).not.toMatch(/secret-[12]/);
  });

  it('[PM479] is no part of a command that mentions it', async () => {
    const files = { ...FILES, 'repo/.claude/commands/look.md': 'Look at @.env and @asked and @open.txt' };
    const agent = await agentInProject({ args: ['--settings', RULES], files });
    await agent.turn('/look');
    expect(agent.sent()).toContain('TOKEN=none');
    expect(agent.sent()).not.toMatch(/secret-/);
  });

  it.each([
    ['Read', { file_path: '../outside/file' }],
    ['Grep', { pattern: 'x', path: '../outside' }],
    ['Glob', { pattern: '../outside/*' }],
    ['Glob', { pattern: '*', path: '../outside' }],
    [
      'NotebookEdit',
      { notebook_path: '../outside/n.ipynb', new_source: '', edit_mode: 'delete', cell_id: 'a' },
    ],
  ])('[PM480] what lies outside is asked about: %s %o', async (tool, input) => {
    const asked: unknown[] = [];
    const agent = await agentInProject({
      args: ['--permission-mode', 'acceptEdits'],
      files: { 'outside/file': 'hidden', 'outside/n.ipynb': '{}' },
      onPermission: (request) => {
        asked.push(request.tool_name);
        return { behavior: 'deny', message: 'no' };
      },
    });
    const { tool: result } = await agent.turn(call(tool, input));
    expect(asked).toEqual([tool]);
    expect(result).toMatchObject({ is_error: true });
  });
});
