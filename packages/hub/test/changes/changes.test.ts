import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChangesStage, TestRepository } from '@signalbox/testing/hub/changes-stage';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { agentGrant } from '../../src/auth/identity.ts';

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`);

describe('changes of a folder', () => {
  it('[CG1620] lists what differs from HEAD, what of it is staged, and how many lines', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    repository.commit({
      '.gitignore': 'ignored\n',
      'kept.txt': 'same\n',
      'old name.txt': LINES.join(''),
      'gone.txt': 'x\n',
      'both.txt': 'a\n',
      'picture.png': Buffer.from([0, 1, 2]),
    });
    repository.git('mv', 'old name.txt', 'new name.txt');
    repository.git('rm', '-q', 'gone.txt');
    repository.write('both.txt', 'b\n');
    repository.git('add', 'both.txt');
    repository.write('both.txt', 'c\nd\n');
    repository.write('picture.png', Buffer.from([0, 3]));
    repository.write('src/new.ts', 'one\ntwo');
    repository.write('ignored', 'x');
    const session = await stage.session(join(repository.folder, 'src'));
    const list = await session.list();
    expect(list).toMatchObject({ root: repository.folder, branch: 'main', underWay: null, isCut: false });
    expect(list.baseCommit).toBe(repository.git('rev-parse', 'HEAD').trim());
    const plain = { isBinary: false, isSubmodule: false };
    expect(list.files).toEqual([
      { path: 'both.txt', kind: 'modified', staged: 'part', added: 2, removed: 1, ...plain },
      { path: 'gone.txt', kind: 'deleted', staged: 'all', added: 0, removed: 1, ...plain },
      {
        path: 'new name.txt',
        oldPath: 'old name.txt',
        kind: 'renamed',
        staged: 'all',
        added: 0,
        removed: 0,
        ...plain,
      },
      {
        path: 'picture.png',
        kind: 'modified',
        staged: 'none',
        added: null,
        removed: null,
        ...plain,
        isBinary: true,
      },
      { path: 'src/new.ts', kind: 'untracked', staged: 'none', added: 2, removed: 0, ...plain },
    ]);
    expect(await session.diff({ path: 'both.txt' })).toEqual({
      path: 'both.txt',
      oldMode: '100644',
      newMode: '100644',
      isBinary: false,
      isCut: false,
      hunks: [{ oldStart: 1, newStart: 1, title: '', lines: ['-a', '+c', '+d'] }],
    });
    expect(await session.diff({ path: 'src/new.ts' })).toMatchObject({
      oldMode: null,
      newMode: '100644',
      hunks: [{ oldStart: 0, newStart: 1, lines: ['+one', '+two', '\\ No newline at end of file'] }],
    });
    expect(await session.diff({ path: 'picture.png' })).toMatchObject({ isBinary: true, hunks: [] });
    expect(await session.diff({ path: 'gone.txt' })).toMatchObject({
      newMode: null,
      hunks: [{ lines: ['-x'] }],
    });
    repository.write('new name.txt', LINES.join('').replace('line 20', 'LINE 20'));
    const renamed = await session.diff({ path: 'new name.txt', oldPath: 'old name.txt', context: '1' });
    expect(renamed).toMatchObject({
      oldPath: 'old name.txt',
      hunks: [{ oldStart: 19, newStart: 19, lines: [' line 19', '-line 20', '+LINE 20', ' line 21'] }],
    });
    // What is not changed, ignored, outside, git's own or behind a link is not shown.
    symlinkSync('/etc', join(repository.folder, 'link'));
    for (const path of [
      'kept.txt',
      'ignored',
      '../x',
      '.git/config',
      'link/hostname',
      '/etc/hostname',
      '-x',
      ':/both.txt',
    ])
      expect([path, await session.refusal('GET', `/diff?path=${encodeURIComponent(path)}`)]).toEqual([
        path,
        path === '../x' || path === '/etc/hostname' ? [422, 'GIT_FAILED'] : [404, 'CHANGE_NOT_FOUND'],
      ]);
  });

  it('[CG1621] compares with a branch and with where HEAD left it, and before the first commit with nothing', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    const session = await stage.session(repository.folder);
    repository.write('first', '1\n');
    repository.git('add', '.');
    expect(await session.list()).toMatchObject({
      head: null,
      baseCommit: null,
      files: [{ path: 'first', kind: 'added', staged: 'all', added: 1 }],
    });
    expect((await session.diff({ path: 'first' })).hunks[0]?.lines).toEqual(['+1']);
    repository.commit({});
    const start = repository.git('rev-parse', 'HEAD').trim();
    repository.git('checkout', '-q', '-b', 'topic');
    repository.commit({ ours: 'o\n' });
    repository.git('checkout', '-q', 'main');
    repository.commit({ theirs: 't\n' });
    repository.git('checkout', '-q', 'topic');
    repository.write('loose', 'l\n');
    const kinds = async (query: string): Promise<unknown> =>
      Object.fromEntries((await session.list(query)).files.map(({ path, kind }) => [path, kind]));
    expect(await kinds('?base=branch&branch=main')).toEqual({
      loose: 'untracked',
      ours: 'added',
      theirs: 'deleted',
    });
    expect(await kinds('?base=merge-base&branch=main')).toEqual({ loose: 'untracked', ours: 'added' });
    expect((await session.list('?base=merge-base&branch=main')).baseCommit).toBe(start);
    expect((await session.diff({ path: 'theirs', base: 'branch', branch: 'main' })).hunks[0]?.lines).toEqual([
      '-t',
    ]);
    const { body } = await session.call('GET', '/branches');
    expect(body).toEqual({ items: expect.arrayContaining(['main', 'topic']), isCut: false });
    for (const branch of ['nobody', '--output=/tmp/x', 'main^', 'main@{1}', 'a..b', ':/x'])
      expect([
        branch,
        await session.refusal('GET', `?base=branch&branch=${encodeURIComponent(branch)}`),
      ]).toEqual([branch, [422, 'CHANGE_BASE_NOT_FOUND']]);
    expect(await session.refusal('GET', '?base=branch')).toEqual([422, 'CHANGE_BASE_NOT_FOUND']);
    expect(await session.refusal('GET', '?base=other')).toEqual([400, 'REQUEST_INVALID']);
  });

  it('[CG1622] runs no program that the repository names, and changes nothing of it', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    repository.commit({ '.gitattributes': '* filter=trap diff=trap\n', 'a.txt': 'a\n' });
    const trap = join(temporaryFolder(), 'ran');
    const program = `sh -c 'echo ran >> ${trap}; cat'`;
    for (const name of [
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'diff.external',
      'diff.trap.command',
      'diff.trap.textconv',
      'filter.trap.clean',
      'filter.trap.smudge',
      'filter.trap.process',
      'filter.a=b.clean',
      'core.alternateRefsCommand',
    ])
      repository.git('config', name, program);
    repository.git('config', 'filter.trap.required', 'true');
    for (const hook of ['post-index-change', 'pre-commit', 'fsmonitor-watchman'])
      writeFileSync(join(repository.folder, '.git/hooks', hook), `#!/bin/sh\necho hook >> ${trap}\n`, {
        mode: 0o755,
      });
    repository.write('a.txt', 'b\n');
    repository.write('new.txt', 'n\n');
    const index = readFileSync(join(repository.folder, '.git/index'));
    const session = await stage.session(repository.folder);
    expect((await session.list()).files.map(({ path, added }) => [path, added])).toEqual([
      ['a.txt', 1],
      ['new.txt', 1],
    ]);
    expect((await session.diff({ path: 'a.txt' })).hunks[0]?.lines).toEqual(['-a', '+b']);
    expect((await session.diff({ path: 'new.txt' })).hunks[0]?.lines).toEqual(['+n']);
    await session.list('?base=branch&branch=main');
    await session.call('GET', '/branches');
    expect(existsSync(trap)).toBe(false);
    expect(readFileSync(join(repository.folder, '.git/index')).equals(index)).toBe(true);
    expect(existsSync(join(repository.folder, '.git/index.lock'))).toBe(false);
  });

  it('[CG1623] says by name why there is nothing to see', async () => {
    const stage = await ChangesStage.open();
    const plain = await stage.session(temporaryFolder());
    expect(await plain.refusal('GET')).toEqual([422, 'REPOSITORY_NOT_FOUND']);
    expect(await (await stage.session(null)).refusal('GET')).toEqual([422, 'FOLDER_NOT_FOUND']);
    expect(await (await stage.session('/nowhere/at/all')).refusal('GET')).toEqual([422, 'FOLDER_NOT_FOUND']);
    const bare = temporaryFolder();
    new TestRepository().git('init', '-q', '--bare', bare);
    expect(await (await stage.session(bare)).refusal('GET')).toEqual([422, 'REPOSITORY_BARE']);
    const astray = new TestRepository();
    astray.git('config', 'core.worktree', '/');
    expect(await (await stage.session(astray.folder)).refusal('GET')).toEqual([422, 'REPOSITORY_ELSEWHERE']);
    const broken = new TestRepository();
    broken.commit({ a: 'a\n' });
    writeFileSync(join(broken.folder, '.git/index'), 'garbage');
    expect(await (await stage.session(broken.folder)).refusal('GET')).toEqual([422, 'GIT_FAILED']);
    // An agent may run on another machine: the files of this one are not its to see.
    const { token } = await stage.store.devices.add(agentGrant(plain.id));
    expect((await plain.call('GET', '', undefined, token)).status).toBe(403);
  });

  it('[CG1624] shows what is there in the middle of a merge or a rebase, and beside a lock', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    repository.commit({ a: '1\n' });
    repository.git('checkout', '-q', '-b', 'other');
    repository.commit({ a: '2\n' });
    repository.git('checkout', '-q', 'main');
    repository.commit({ a: '3\n' });
    expect(() => repository.git('merge', 'other')).toThrow();
    const session = await stage.session(repository.folder);
    const files = [{ path: 'a', kind: 'conflicted', staged: 'none' }];
    expect(await session.list()).toMatchObject({ underWay: 'merge', files });
    expect((await session.diff({ path: 'a' })).hunks[0]?.lines).toContain('+<<<<<<< HEAD');
    repository.git('merge', '--abort');
    expect(() => repository.git('rebase', 'other')).toThrow();
    writeFileSync(join(repository.folder, '.git/index.lock'), '');
    expect(await session.list()).toMatchObject({ underWay: 'rebase', branch: null, isLocked: true });
  });

  it('[CG1625] is bounded: many files, a long diff, submodules and files of every kind', async () => {
    const stage = await ChangesStage.open();
    const inner = new TestRepository();
    inner.commit({ a: 'a\n' });
    const repository = new TestRepository();
    repository.commit({ 'long.txt': 'a\n' });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'sub');
    repository.commit({});
    new TestRepository(join(repository.folder, 'sub')).commit({ b: 'b\n' });
    repository.write('sub/loose', 'not looked at');
    repository.write('long.txt', 'x'.repeat(99).concat('\n').repeat(520_000));
    for (let at = 0; at < 10_100; at += 1) writeFileSync(join(repository.folder, `file-${at}`), '');
    const session = await stage.session(repository.folder);
    const list = await session.list();
    expect([list.files.length, list.isCut]).toEqual([10_000, true]);
    const long = await session.diff({ path: 'long.txt' });
    expect(long.isCut).toBe(true);
    expect(long.hunks[0]?.lines.length).toBeGreaterThan(5000);
    expect(JSON.stringify(long).length).toBeLessThan(1.2 * 1024 * 1024);
    const sub = await session.diff({ path: 'sub' });
    expect(sub.hunks[0]?.lines.map((line) => line.slice(0, 20))).toEqual(
      ['-Subproject commit ', '+Subproject commit '].map((line) => expect.stringContaining(line)),
    );
  });
});
