import { execFileSync } from 'node:child_process';
import { mkdir, rename, symlink } from 'node:fs/promises';
import type { JsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { grepTool, grepToolOn } from '../../src/tools/grep.ts';
import { ownGrep } from '../../src/tools/search/own-grep.ts';
import { hasRipgrep, ripgrep } from '../../src/tools/search/ripgrep.ts';
import { openBench, seeded, type ToolBench } from './tool-bench.ts';

const engines = [
  ['our own search', ownGrep] as const,
  ...((await hasRipgrep(process.env)) ? [['ripgrep', ripgrep] as const] : []),
];

describe.each(engines)('Grep with %s', (_name, engine) => {
  const tool = grepToolOn(engine);

  async function tree(): Promise<ToolBench & { grep: (input: JsonObject) => Promise<unknown> }> {
    const bench = await openBench();
    await mkdir(bench.path('.git'));
    await bench.file('.git/hit.txt', 'foo');
    await bench.file('h.js', 'foo\n', { mtime: 2000 });
    await bench.file('sub/g.ts', 'hello foo\r\nFOO bar foo\r\nbaz\r\nqux\r\nfoo', { mtime: 1000 });
    return { ...bench, grep: async (input) => (await bench.run(tool, input)).structured };
  }

  it('[PM606] hands nothing over when its folder became a link while it ran', async () => {
    const { run, file, path } = await openBench();
    await file('sub/file', 'harmless');
    await file('outside/file', 'secret');
    const moving = grepToolOn(async function* (query, context) {
      await rename(path('sub'), path('old'));
      await symlink(path('outside'), path('sub'));
      yield* engine(query, context);
    });
    await expect(run(moving, { pattern: '.', path: 'sub', output_mode: 'content' })).rejects.toThrow(
      `leads to ${path('outside')} now`,
    );
  });

  it('[TL25] lists the files, the newest first', async () => {
    const { run, grep } = await tree();
    expect(await run(tool, { pattern: 'foo' })).toEqual({
      content: 'Found 2 files\nh.js\nsub/g.ts',
      structured: { mode: 'files_with_matches', filenames: ['h.js', 'sub/g.ts'], numFiles: 2 },
    });
    expect(await run(tool, { pattern: 'nowhere' })).toMatchObject({ content: 'No files found' });
    expect(await grep({ pattern: 'foo', head_limit: 1 })).toMatchObject({
      filenames: ['h.js'],
      appliedLimit: 1,
    });
    expect(await grep({ pattern: 'foo', offset: 1 })).toMatchObject({
      filenames: ['sub/g.ts'],
      appliedOffset: 1,
    });
  });

  it('[TL25] shows lines with names and numbers, in the order of names', async () => {
    const { run, grep } = await tree();
    const content = 'h.js:1:foo\nsub/g.ts:1:hello foo\nsub/g.ts:2:FOO bar foo\nsub/g.ts:5:foo';
    expect(await run(tool, { pattern: 'foo', output_mode: 'content' })).toEqual({
      content,
      structured: { mode: 'content', numFiles: 0, filenames: [], content, numLines: 4 },
    });
    expect(await grep({ pattern: '^foo$', output_mode: 'content', '-n': false, '-i': true })).toMatchObject({
      content: 'h.js:foo\nsub/g.ts:foo',
    });
    expect(await grep({ pattern: 'foo$', path: 'sub/g.ts', output_mode: 'content' })).toMatchObject({
      content: '1:hello foo\n2:FOO bar foo\n5:foo',
    });
    expect(await run(tool, { pattern: 'foo', output_mode: 'content', head_limit: 2, offset: 1 })).toEqual({
      content: 'sub/g.ts:1:hello foo\nsub/g.ts:2:FOO bar foo\n(There is more; go on with offset 3.)',
      structured: expect.objectContaining({ numLines: 2, appliedLimit: 2, appliedOffset: 1 }),
    });
  });

  it('[TL25] counts', async () => {
    const { run, grep } = await tree();
    expect(await run(tool, { pattern: 'foo', output_mode: 'count' })).toEqual({
      content: 'h.js:1\nsub/g.ts:3\nFound 4 matches in 2 files.',
      structured: { mode: 'count', numFiles: 2, filenames: [], content: 'h.js:1\nsub/g.ts:3', numMatches: 4 },
    });
    expect(await grep({ pattern: 'foo', output_mode: 'count', path: 'h.js' })).toMatchObject({
      numMatches: 1,
    });
  });

  it('[TL26] shows lines around a match, and gaps between them', async () => {
    const { grep } = await tree();
    expect(await grep({ pattern: 'foo', output_mode: 'content', '-C': 1 })).toMatchObject({
      content:
        'h.js:1:foo\n--\nsub/g.ts:1:hello foo\nsub/g.ts:2:FOO bar foo\nsub/g.ts-3-baz\nsub/g.ts-4-qux\nsub/g.ts:5:foo',
    });
    expect(
      await grep({ pattern: 'foo', path: 'sub', output_mode: 'content', '-A': 1, '-n': false }),
    ).toMatchObject({
      content: 'sub/g.ts:hello foo\nsub/g.ts:FOO bar foo\nsub/g.ts-baz\n--\nsub/g.ts:foo',
    });
    expect(await grep({ pattern: 'qux', path: 'sub/g.ts', output_mode: 'content', '-B': 2 })).toMatchObject({
      content: '2-FOO bar foo\n3-baz\n4:qux',
    });
  });

  it('[TL27] leaves out what is ignored or binary, and narrows the search', async () => {
    const { grep, file, session } = await tree();
    await file('.gitignore', '*.log\n/dist/\n!keep.log\nbuild\n');
    await file('sub/.gitignore', 'g.ts\n');
    for (const name of ['a.log', 'keep.log', 'dist/a.js', 'lib/dist/a.js', 'lib/build/x.py'])
      await file(name, 'foo');
    await file('.hidden/b.tsx', 'foo');
    await file('picture.bin', 'foo\0foo');
    const names = async (input: JsonObject): Promise<unknown> => {
      const found = await grep({ pattern: 'foo', output_mode: 'count', ...input });
      return String(Object(found).content)
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(':')[0]);
    };
    expect(await names({})).toEqual(['.hidden/b.tsx', 'h.js', 'keep.log', 'lib/dist/a.js']);
    expect(await names({ type: 'js' })).toEqual(['h.js', 'lib/dist/a.js']);
    expect(await names({ glob: '*.{ts,tsx,log}' })).toEqual([
      '.hidden/b.tsx',
      'a.log',
      'keep.log',
      'sub/g.ts',
    ]);
    expect(await names({ glob: 'lib/**' })).toContain('lib/dist/a.js');
    expect(await names({ glob: '!*.js' })).toEqual(['.hidden/b.tsx', 'keep.log']);
    expect(await names({ path: 'lib' })).toEqual(['lib/dist/a.js']);
    expect(await names({ path: 'sub/g.ts' })).toEqual(['sub/g.ts']);
    session.cwd = `${session.cwd}/lib`;
    expect(await names({ path: '..' })).toEqual(expect.arrayContaining([`${session.originalCwd}/h.js`]));
  });

  it('[TL28] lets a match cross lines only where it is told to', async () => {
    const { grep } = await tree();
    const pattern = 'bar.*?qux';
    expect(await grep({ pattern, output_mode: 'content' })).toMatchObject({ numLines: 0 });
    expect(await grep({ pattern, output_mode: 'content', multiline: true })).toMatchObject({
      content: 'sub/g.ts:2:FOO bar foo\nsub/g.ts:3:baz\nsub/g.ts:4:qux',
    });
    expect(await grep({ pattern: 'foo', output_mode: 'count', multiline: true })).toMatchObject({
      numMatches: 4,
    });
  });

  it('[TL29] explains a pattern, type or path that makes no sense', async () => {
    const { run } = await tree();
    await expect(run(tool, { pattern: '(unclosed' })).rejects.toThrow(/regular expression|regex/i);
    await expect(run(tool, { pattern: 'x', type: 'nonsense' })).rejects.toThrow(
      /nknown file type|unrecognized file type/,
    );
    await expect(run(tool, { pattern: 'x', path: 'g.js' })).rejects.toThrow('Did you mean');
  });

  it('[TL29] understands the dialect of ripgrep', async () => {
    const { grep } = await tree();
    for (const pattern of [
      '(?i)HELLO',
      '(?P<word>hel+o)',
      '[[:alpha:]]+o foo',
      'hello\\-?',
      '\\bhello\\b',
      '\\p{L}ello',
    ]) {
      expect(await grep({ pattern })).toMatchObject({ filenames: ['sub/g.ts'] });
    }
  });

  it('[TL30] bounds its output: characters, lines and the length of a line', async () => {
    const { run, file } = await openBench();
    await file('long.txt', `needle${'x'.repeat(1_000_000)}\n`);
    const long = await run(tool, { pattern: 'needle', output_mode: 'content' });
    expect(long.content).toHaveLength(501);
    await file('many.txt', 'a needle in a line of its own\n'.repeat(20_000));
    const all = await run(tool, {
      pattern: 'needle',
      path: 'many.txt',
      output_mode: 'content',
      head_limit: 0,
    });
    expect(all.content.length).toBeLessThan(30_100);
    expect(all.content).toContain('There is more; go on with offset');
    const some = await run(tool, { pattern: 'needle', path: 'many.txt', output_mode: 'content' });
    expect(some.structured).toMatchObject({ numLines: 250 });
  });

  it('[TL31] finds on a generated tree what a plain look at every line finds', async () => {
    const { run, file } = await openBench();
    const random = seeded(11);
    const expected: string[] = [];
    for (let at = 0; at < 60; at += 1) {
      const name = Array.from({ length: 1 + random(3) }, () => 'abcd-.'[random(4)])
        .join('/')
        .concat(`/f${at}.txt`);
      const lines = Array.from({ length: random(40) }, () =>
        Array.from({ length: random(6) }, () => 'xyz'[random(3)]).join(''),
      );
      await file(name, lines.join(random(2) === 0 ? '\n' : '\r\n'));
      for (const [index, line] of lines.entries()) {
        if (/^x+y|zz$/.test(line)) expected.push(`${name}:${index + 1}:${line}`);
      }
    }
    const pages: string[] = [];
    for (let offset = 0; offset <= expected.length; offset += 50) {
      const page = await run(tool, { pattern: '^x+y|zz$', output_mode: 'content', head_limit: 50, offset });
      pages.push(...String(Object(page.structured).content).split('\n').filter(Boolean));
    }
    expect(expected.length).toBeGreaterThan(100);
    expect(pages.toSorted()).toEqual(expected.toSorted());
    const names = [...new Set(pages.map((line) => line.split(':')[0] ?? ''))];
    expect(names).toEqual(
      names.toSorted((a, b) => (a.replaceAll('/', '\0') < b.replaceAll('/', '\0') ? -1 : 1)),
    );
  });

  it('[TL31] stops with an interrupt', async () => {
    const { run, file } = await openBench();
    await file('a.txt', 'foo');
    await expect(run(tool, { pattern: 'foo' }, AbortSignal.abort())).rejects.toThrow();
  });
});

describe('Grep', () => {
  it('[TL31] uses ripgrep where it is installed', async () => {
    const { run, file, session, path } = await openBench();
    await file('a.txt', 'foo');
    // A program that answers as ripgrep does.
    await file('bin/rg', '#!/bin/sh\n[ "$1" = --version ] || echo from-rg.txt\n', { mode: 0o755 });
    expect(await run(grepTool, { pattern: 'foo' })).toMatchObject({ structured: { filenames: ['a.txt'] } });
    session.env.PATH = `${path('bin')}:${session.env.PATH}`;
    expect(await run(grepTool, { pattern: 'foo' })).toMatchObject({
      structured: { filenames: ['from-rg.txt'] },
    });
  });

  it('[TL30] breaks off a pattern that would take for ever', async () => {
    const { run, file } = await openBench();
    await file('a.txt', `${'a'.repeat(60)}!\n`);
    await expect(run(grepToolOn(ownGrep), { pattern: '^(a+)+$' })).rejects.toThrow('takes too long');
  });

  it('[TL27] goes by the .gitignore files above the folder it searches, up to the repository', async () => {
    const { run, file, path, folder } = await openBench();
    execFileSync('git', ['init', '-q', path('repo')], { env: { PATH: process.env.PATH, HOME: folder } });
    await file('.gitignore', '*.txt');
    await file('repo/.gitignore', 'skip-*');
    await file('repo/sub/skip-a.txt', 'foo');
    await file('repo/sub/b.txt', 'foo');
    expect(await run(grepToolOn(ownGrep), { pattern: 'foo', path: 'repo/sub' })).toMatchObject({
      structured: { filenames: ['repo/sub/b.txt'] },
    });
  });
});
