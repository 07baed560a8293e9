import { mkdir, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { globMatcher } from '../../src/base/glob.ts';
import { globTool, MAX_SHOWN_FILES } from '../../src/tools/glob.ts';
import { openBench } from './tool-bench.ts';

describe('Glob', () => {
  it.each([
    ['*.ts', ['a.ts', '.a.ts'], ['b/a.ts', 'a.tsx', 'ats']],
    ['**/*.ts', ['a.ts', 'b/a.ts', 'b/c/a.ts', '.b/a.ts'], ['a.js']],
    ['src/**', ['src/a', 'src/a/b'], ['src', 'lib/src/a']],
    ['src/**/x/*.js', ['src/x/a.js', 'src/a/b/x/a.js'], ['src/x/y/a.js', 'srcx/a.js']],
    ['**', ['a', 'a/b'], []],
    ['a**b', ['ab', 'axb'], ['a/b']],
    ['?.[jt]s', ['a.js', 'b.ts'], ['.s', 'ab.js', 'a.cs']],
    ['[!a-c].x', ['d.x', '^.x'], ['a.x', '/.x']],
    ['[]a].x', [']'.concat('.x'), 'a.x'], ['b.x']],
    ['{a,b{c,d}}.{js,ts}', ['a.js', 'bc.ts', 'bd.js'], ['b.js', 'a.{js']],
    ['{a,b', ['{a,b'], ['a']],
    ['\\*.(x|y)+', ['*.(x|y)+'], ['a.(x|y)+', '*.x']],
    ['a.b$', ['a.b$'], ['axb$', 'a.b']],
    ['(a+)+b', ['(a+)+b'], ['a'.repeat(50_000)]],
    ['{a/**,b}/*.ts', ['a/x/y.ts', 'b/y.ts'], ['c/y.ts']],
  ])('[TL23] %s fits what it should, and nothing else', (glob, fitting, others) => {
    const fits = globMatcher(glob);
    expect(fitting.filter((path) => !fits(path))).toEqual([]);
    expect(others.filter((path) => fits(path))).toEqual([]);
  });

  it('[TL24] finds files, the newest first, and leaves out version control', async () => {
    const { run, file, path } = await openBench();
    await file('old.ts', '', { mtime: 1000 });
    await file('src/new.ts', '', { mtime: 3000 });
    await file('.hidden/middle.ts', '', { mtime: 2000 });
    await file('.git/config.ts', '');
    await file('.gitignore', '*.ts');
    await symlink('.', path('loop'));
    const filenames = [path('src/new.ts'), path('.hidden/middle.ts'), path('old.ts')];
    expect(await run(globTool, { pattern: '**/*.ts' })).toEqual({
      content: filenames.join('\n'),
      structured: { filenames, durationMs: expect.any(Number), numFiles: 3, truncated: false },
    });
    expect(await run(globTool, { pattern: '*.nope' })).toMatchObject({
      content: 'No files found',
      structured: { filenames: [], numFiles: 0, truncated: false },
    });
  });

  it('[TL24] looks in the folder it is told, by path or by pattern', async () => {
    const { run, file, path, folder } = await openBench();
    const wanted = await file('src/deep/a.ts', '');
    await file('src/deep/er/a.ts', '');
    for (const input of [
      { pattern: '*.ts', path: 'src/deep' },
      { pattern: 'src/*/a.ts' },
      { pattern: './src/deep/*.ts' },
      { pattern: `${folder}/src/deep/*.ts` },
      { pattern: 'src/deep/a.ts' },
      { pattern: '../deep/a.*', path: 'src/deep' },
    ]) {
      expect(await run(globTool, input)).toMatchObject({ structured: { filenames: [wanted] } });
    }
    await expect(run(globTool, { pattern: '*', path: 'nowhere' })).rejects.toThrow('is not a directory');
    expect(globTool.paths({ pattern: '/etc/*.conf' })).toEqual(['/etc']);
    expect(globTool.paths({ pattern: '../../*', path: path('src') })).toEqual([path('..')]);
    expect(globTool.paths({ pattern: '**/*.ts' })).toEqual(['.']);
  });

  it('[TL24] shows the newest of many, and says that there are more', async () => {
    const { run, file } = await openBench();
    const count = MAX_SHOWN_FILES + 5;
    for (let at = 0; at < count; at += 1) await file(`f${at}.txt`, '', { mtime: 1000 + at });
    const { structured, content } = await run(globTool, { pattern: '*.txt' });
    expect(structured).toMatchObject({ numFiles: MAX_SHOWN_FILES, truncated: true });
    expect(content).toContain(`${count} files match`);
    expect(content).toMatch(/^\S+f104\.txt\n/);
    expect(content).not.toContain('/f4.txt');
  });

  it('[TL24] stops with an interrupt', async () => {
    const { run, path } = await openBench();
    await mkdir(path('sub'));
    await expect(run(globTool, { pattern: '**' }, AbortSignal.abort())).rejects.toThrow();
  });
});
