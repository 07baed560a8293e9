import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type JsonObject, parseRule, type RuleSets } from '@signalbox/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerFiles, MAX_READ_BYTES } from '../../src/control/answer-files.ts';
import { MAX_SUGGESTIONS } from '../../src/control/suggest-files.ts';
import { askedHost } from './asked-host.ts';

async function project(files: Record<string, string>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-control-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const cwd = join(root, 'project');
  await mkdir(join(cwd, '.git'), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), content);
  }
  return cwd;
}

function hostOf(cwd: string, rules: Partial<RuleSets> = {}, directories: string[] = []) {
  return askedHost((peer) =>
    answerFiles(peer, {
      cwd,
      home: dirname(cwd),
      directories: () => directories,
      rules: () => ({ allow: [], deny: [], ask: [], ...rules }),
    }),
  );
}

const pathsIn = (answer: JsonObject): unknown[] =>
  [answer.suggestions].flat().map((suggestion) => Object(suggestion).path);

describe('files for a host', () => {
  it('[AG31] are suggested by what was typed, the best first', async () => {
    const cwd = await project({
      '.gitignore': 'ignored/\n',
      'ignored/agent.ts': '',
      'README.md': '',
      'src/agent.ts': '',
      'src/deep/agent-session.ts': '',
      'src/deep/the-agent.md': '',
      'agents/x.txt': '',
      'src/age-of-rents.txt': '',
    });
    const ask = hostOf(cwd);
    expect(await ask('file_suggestions', { query: 'Agent' })).toEqual({
      cwd,
      suggestions: [
        'agents/',
        'agents/x.txt',
        'src/agent.ts',
        'src/deep/agent-session.ts',
        'src/deep/the-agent.md',
        'src/age-of-rents.txt',
      ].map((path) => ({ path })),
    });
    expect(pathsIn(await ask('file_suggestions', { query: './src/d' }))).toEqual([
      'src/deep/',
      'src/deep/the-agent.md',
      'src/deep/agent-session.ts',
    ]);
    expect(pathsIn(await ask('file_suggestions', { query: '' }))).toEqual([
      'src/',
      'agents/',
      'README.md',
      '.gitignore',
    ]);
    expect(pathsIn(await ask('file_suggestions', { query: 'nowhere' }))).toEqual([]);
  });

  it('[AG31] are a few, of however many there are', async () => {
    const names = Array.from({ length: 300 }, (_, at) => [`folder/file-${at}.txt`, '']);
    const ask = hostOf(await project(Object.fromEntries(names)));
    expect(pathsIn(await ask('file_suggestions', { query: 'file' }))).toHaveLength(MAX_SUGGESTIONS);
  });

  it('[AG32] are read up to a limit, as text or base64', async () => {
    const cwd = await project({ 'a.txt': 'h\u00e9llo', 'big.txt': 'x'.repeat(MAX_READ_BYTES + 1) });
    const ask = hostOf(cwd);
    const absPath = join(cwd, 'a.txt');
    expect(await ask('read_file', { path: 'a.txt' })).toEqual({ contents: 'h\u00e9llo', absPath });
    expect(await ask('read_file', { path: absPath, max_bytes: 1 })).toEqual({
      contents: 'h',
      absPath,
      truncated: true,
    });
    const encoded = await ask('read_file', { path: 'a.txt', encoding: 'base64' });
    const contents = Buffer.from('h\u00e9llo').toString('base64');
    expect(encoded).toEqual({ contents, absPath, encoding: 'base64' });
    const big = await ask('read_file', { path: 'big.txt', max_bytes: 1e12 });
    expect([String(big.contents).length, big.truncated]).toEqual([MAX_READ_BYTES, true]);
  });

  it('[AG32] are refused outside, behind links, by rules, and where they are none', async () => {
    const cwd = await project({ 'a.txt': 'a', '.env': 'secret', 'b.txt': 'b', '../outside.txt': 'far' });
    await symlink('../outside.txt', join(cwd, 'link.txt'));
    await symlink('a.txt', join(cwd, 'near.txt'));
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const rules = { deny: [parseRule('Read(./.env)')], ask: [parseRule('Read(./b.txt)')] };
    const ask = hostOf(cwd, rules);
    for (const path of ['../outside.txt', '/etc/passwd', 'link.txt', '.env', 'b.txt', 'nope', '.', 'pipe']) {
      await expect(ask('read_file', { path }), path).rejects.toThrow(`read denied: ${path}`);
    }
    expect(await ask('read_file', { path: 'near.txt' })).toMatchObject({ absPath: join(cwd, 'a.txt') });
    const wider = hostOf(cwd, rules, [dirname(cwd)]);
    expect(await wider('read_file', { path: 'link.txt' })).toMatchObject({ contents: 'far' });
  });
});
