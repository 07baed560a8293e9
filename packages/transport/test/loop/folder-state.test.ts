import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderChanges, folderState } from '@signalbox/transport/loop';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Git knows files by their length and their second. */
const MOMENT = new Date('2020-02-02T02:02:02Z');

describe('the state of a folder', () => {
  let base: string;
  let folder: string;
  let scratch: string;

  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
      cwd: folder,
      encoding: 'utf8',
    });

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'folder-state-'));
    folder = join(base, 'project');
    scratch = join(base, 'scratch');
    mkdirSync(folder);
  });

  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it('[LP1158] tells commits, files and lines that changed, untracked files included, and leaves the repository as it is', async () => {
    git('init', '-q');
    writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
    writeFileSync(join(folder, 'b.txt'), 'new\n');
    const objects = readdirSync(join(folder, '.git/objects'), { recursive: true }).length;
    const before = await folderState(folder, scratch);
    writeFileSync(join(folder, 'a.txt'), 'one\n2\n');
    writeFileSync(join(folder, 'c.txt'), 'more\n');
    const between = await folderState(folder, scratch);
    expect(await folderChanges(folder, scratch, before, between)).toEqual({
      commits: 0,
      files: 2,
      insertions: 2,
      deletions: 1,
    });
    expect(readdirSync(join(folder, '.git/objects'), { recursive: true })).toHaveLength(objects);
    expect(git('status', '--porcelain')).toBe(' M a.txt\n?? b.txt\n?? c.txt\n');
    git('add', '-A');
    git('commit', '-qm', 'second');
    const after = await folderState(folder, scratch);
    expect(await folderChanges(folder, scratch, between, after)).toMatchObject({ commits: 1, files: 0 });
  });

  it('[LP1770] sees a change of the same length in the very moment of a commit', async () => {
    git('init', '-q');
    git('config', 'core.trustctime', 'false');
    const file = join(folder, 'a.txt');
    const write = (text: string): void => {
      writeFileSync(file, text);
      utimesSync(file, MOMENT, MOMENT);
    };
    write('one\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
    utimesSync(join(folder, '.git/index'), MOMENT, MOMENT);
    const before = await folderState(folder, scratch);
    write('two\n');
    const after = await folderState(folder, scratch);
    expect(await folderChanges(folder, scratch, before, after)).toMatchObject({ files: 1, insertions: 1 });
  });

  it('[LP1771] leaves out files that are large, and takes what is in conflict, renamed or made a folder', async () => {
    git('init', '-q', '-b', 'main');
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    writeFileSync(join(folder, 'b.txt'), 'one\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
    git('checkout', '-qb', 'other');
    writeFileSync(join(folder, 'a.txt'), 'theirs\n');
    git('commit', '-qam', 'theirs');
    git('checkout', '-q', 'main');
    writeFileSync(join(folder, 'a.txt'), 'ours\n');
    git('commit', '-qam', 'ours');
    expect(() => git('merge', '-q', 'other')).toThrow();
    const before = await folderState(folder, scratch);
    rmSync(join(folder, 'b.txt'));
    mkdirSync(join(folder, 'b.txt'));
    writeFileSync(join(folder, 'b.txt/c.txt'), 'two\n');
    writeFileSync(join(folder, 'large'), Buffer.alloc(2 * 1024 * 1024, 'x'));
    writeFileSync(join(folder, ':(top)odd "name"'), 'x\n');
    mkdirSync(join(folder, 'nested'));
    execFileSync('git', ['init', '-q'], { cwd: join(folder, 'nested') });
    const after = await folderState(folder, scratch);
    expect(await folderChanges(folder, scratch, before, after)).toMatchObject({
      files: 3,
      insertions: 2,
      deletions: 1,
    });
    expect(git('ls-files', '--unmerged')).toContain('a.txt');
  });

  it('[LP1521] runs no program that the repository names, whatever it is called', async () => {
    git('init', '-q');
    const ran = join(base, 'ran');
    const names = ['evil', 'a=b', 'a.b', 'A "quoted" one', 'with space'];
    for (const name of names)
      for (const what of ['clean', 'process']) git('config', `filter.${name}.${what}`, `touch '${ran}'; cat`);
    git('config', 'filter.evil.required', 'true');
    git('config', 'core.fsmonitor', `touch '${ran}'`);
    const attributes = names
      .filter((name) => !/[\s"]/.test(name))
      .map((name, at) => `${at}.txt filter=${name}`);
    writeFileSync(join(folder, '.gitattributes'), `${attributes.join('\n')}\n`);
    writeFileSync(join(folder, '0.txt'), 'one\n');
    const before = await folderState(folder, scratch);
    for (const at of attributes.keys()) writeFileSync(join(folder, `${at}.txt`), 'two\nthree\n');
    const after = await folderState(folder, scratch);
    expect(existsSync(ran)).toBe(false);
    expect(await folderChanges(folder, scratch, before, after)).toMatchObject({ files: 3, insertions: 6 });
  });

  it('[LP1158] a new repository has states too, and a folder without one has none', async () => {
    expect(await folderState(folder, scratch)).toBeNull();
    git('init', '-q');
    const before = await folderState(folder, scratch);
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
    const after = await folderState(folder, scratch);
    expect(await folderChanges(folder, scratch, before, after)).toEqual({
      commits: 1,
      files: 1,
      insertions: 1,
      deletions: 0,
    });
    expect(await folderChanges(folder, scratch, null, after)).toBeNull();
    rmSync(scratch, { recursive: true });
    expect(await folderChanges(join(base, 'gone'), scratch, before, after)).toBeNull();
  });
});
