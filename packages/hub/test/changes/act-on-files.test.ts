import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  ChangesStage,
  good,
  type SessionChanges,
  TestRepository,
} from '@signalbox/testing/hub/changes-stage';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

/** What git itself says of the files. */
function status(repository: TestRepository): string[] {
  return repository
    .git('status', '--porcelain', '--untracked-files=all')
    .split('\n')
    .filter(Boolean)
    .toSorted();
}

async function discard(session: SessionChanges, ...paths: string[]): Promise<string> {
  return good(await session.call('POST', '/discard', { paths })).discard;
}

describe('what people do with changed files', () => {
  it('[CG1630] stages and unstages files, renamed and deleted ones included, and commits what is staged', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    const session = await stage.session(repository.folder);
    const post = (what: string, body: unknown) => session.call('POST', `/${what}`, body);
    repository.write('a', 'a\n');
    good(await post('stage', { paths: ['a'] }));
    good(await post('unstage', { paths: ['a'] }));
    expect(status(repository)).toEqual(['?? a']);
    good(await post('stage', { paths: ['a'] }));
    const first = good(await post('commit', { message: 'The first one\n\n# not a comment\n' })).commit;
    expect(repository.git('log', '-1', '--format=%H %an %B').trim()).toBe(
      `${first} Ada The first one\n\n# not a comment`,
    );
    repository.commit({ 'old name': 'x\n'.repeat(20), gone: 'g\n', '-dash': '1\n', ':(top)odd': '1\n' });
    repository.git('mv', 'old name', 'new name');
    repository.write('a', 'b\n');
    repository.write('-dash', '2\n');
    repository.write(':(top)odd', '2\n');
    rmSync(join(repository.folder, 'gone'));
    const paths = ['a', '-dash', ':(top)odd', 'gone'];
    good(await post('stage', { paths }));
    expect(status(repository)).toEqual([
      'D  gone',
      'M  -dash',
      'M  :(top)odd',
      'M  a',
      'R  "old name" -> "new name"',
    ]);
    good(await post('unstage', { paths: ['new name', 'gone', 'a'] }));
    expect(status(repository)).toEqual([
      ' D "old name"',
      ' D gone',
      ' M a',
      '?? "new name"',
      'M  -dash',
      'M  :(top)odd',
    ]);
    const { commit } = good(await post('commit', { message: 'Odd names' }));
    expect(repository.git('show', '--name-only', '--format=', commit).split('\n').filter(Boolean)).toEqual([
      '-dash',
      ':(top)odd',
    ]);
    expect(await session.refusal('POST', '/commit', { message: 'again' })).toEqual([409, 'NOTHING_STAGED']);
    expect(await session.refusal('POST', '/commit', { message: ' \n ' })).toEqual([400, 'REQUEST_INVALID']);
    repository.git('config', 'user.name', '');
    good(await post('stage', { paths: ['gone'] }));
    const nobody = await session.call('POST', '/commit', { message: 'whose' });
    expect([nobody.status, nobody.body.code]).toEqual([409, 'GIT_IDENTITY_UNKNOWN']);
    expect(nobody.body.detail).toContain('git config --global user.name');
    expect(await session.refusal('POST', '/stage', { paths: ['nowhere'] })).toEqual([
      404,
      'CHANGE_NOT_FOUND',
    ]);
    for (const path of ['../x', '.git/config', '/etc/passwd', '.'])
      expect(await session.refusal('POST', '/discard', { paths: [path] })).toEqual([404, 'CHANGE_NOT_FOUND']);
    const { items } = await stage.store.audit.list({ session: session.id });
    expect(items.map(({ what, subject }) => [what, subject])).toContainEqual(['stage files', 'a and 3 more']);
    const watcher = await stage.tokenFor('approve');
    expect((await session.call('POST', '/commit', { message: 'x' }, watcher)).status).toBe(403);
  });

  it('[CG1631] discards files of every kind, and gives them back exactly, once', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    const { folder } = repository;
    const session = await stage.session(folder);
    repository.commit({
      'dir/part': '1\n',
      gone: 'g\n',
      'old name': 'x\n'.repeat(20),
      kept: 'k\n',
      tool: '#!\n',
    });
    repository.write('dir/part', '2\n');
    repository.git('add', 'dir/part');
    repository.write('dir/part', '3\n');
    rmSync(join(folder, 'gone'));
    repository.git('mv', 'old name', 'new name');
    repository.write('added', 'a\n');
    repository.git('add', 'added');
    repository.write('deep/new', Buffer.from([0, 255, 10]));
    symlinkSync('/etc/hostname', join(folder, 'link'));
    chmodSync(join(folder, 'tool'), 0o755);
    repository.write('kept', 'not discarded\n');
    const before = status(repository);
    const staged = repository.git('ls-files', '--stage');
    const paths = ['dir/part', 'gone', 'new name', 'added', 'deep/new', 'link', 'tool'];
    const name = await discard(session, ...paths);
    expect(status(repository)).toEqual([' M kept']);
    expect(existsSync('/etc/hostname')).toBe(true);
    good(await session.call('POST', '/undo', { discard: name }));
    expect(status(repository)).toEqual(before);
    expect(repository.git('ls-files', '--stage')).toBe(staged);
    expect(readFileSync(join(folder, 'deep/new'))).toEqual(Buffer.from([0, 255, 10]));
    expect(readFileSync(join(folder, 'dir/part'), 'utf8')).toBe('3\n');
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
    expect(await session.refusal('POST', '/undo', { discard: name })).toEqual([404, 'UNDO_NOT_FOUND']);
    expect(await session.refusal('POST', '/undo', { discard: '../..' })).toEqual([400, 'REQUEST_INVALID']);
    // Whoever has written since is not written over.
    const again = await discard(session, 'gone', 'deep/new');
    repository.write('deep/new', 'somebody else\n');
    expect(await session.refusal('POST', '/undo', { discard: again })).toEqual([409, 'CHANGE_CONFLICT']);
    expect(readFileSync(join(folder, 'deep/new'), 'utf8')).toBe('somebody else\n');
    // A folder that became a link leads elsewhere: what is there is not touched.
    const elsewhere = temporaryFolder();
    renameSync(join(folder, 'dir'), join(elsewhere, 'dir'));
    symlinkSync(join(elsewhere, 'dir'), join(folder, 'dir'));
    expect(await session.refusal('POST', '/discard', { paths: ['dir/part'] })).toEqual([
      404,
      'CHANGE_NOT_FOUND',
    ]);
    expect(readFileSync(join(elsewhere, 'dir/part'), 'utf8')).toBe('3\n');
    // What can be undone goes with the session, and what is too much is not begun.
    expect(readdirSync(join(stage.home, 'changes'))).toHaveLength(1);
    execFileSync('truncate', ['-s', '101M', join(folder, 'large')]);
    expect(await session.refusal('POST', '/discard', { paths: ['large'] })).toEqual([409, 'CHANGE_LIMIT']);
    expect(existsSync(join(folder, 'large'))).toBe(true);
    await stage.remove(session.id);
    expect(readdirSync(join(stage.home, 'changes'))).toEqual([]);
  });

  it('[CG1632] writes nothing beside a lock, commits nothing amid a rebase, and runs nothing that the repository names', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    const { folder } = repository;
    const session = await stage.session(folder);
    repository.commit({ '.gitattributes': '*.bin filter=trap\n', a: '1\n', 'x.bin': '1\n' });
    const trap = join(temporaryFolder(), 'ran');
    for (const name of [
      'filter.trap.clean',
      'filter.trap.smudge',
      'gpg.program',
      'core.editor',
      'core.fsmonitor',
    ])
      repository.git('config', name, `sh -c 'echo ${name} >> ${trap}; cat'`);
    repository.git('config', 'commit.gpgSign', 'true');
    mkdirSync(join(folder, '.git/hooks'), { recursive: true });
    for (const hook of ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-commit', 'post-index-change'])
      writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\necho ${hook} >> ${trap}\n`, {
        mode: 0o755,
      });
    repository.write('a', '2\n');
    repository.write('x.bin', '2\n');
    // What the filter would make of it is not known: it is not stored as something else.
    for (const what of ['stage', 'discard'])
      expect(await session.refusal('POST', `/${what}`, { paths: ['a', 'x.bin'] })).toEqual([
        422,
        'REPOSITORY_FILTERED',
      ]);
    good(await session.call('POST', '/stage', { paths: ['a'] }));
    good(await session.call('POST', '/commit', { message: 'two' }));
    repository.write('a', '3\n');
    good(await session.call('POST', '/undo', { discard: await discard(session, 'a') }));
    expect(existsSync(trap)).toBe(false);
    writeFileSync(join(folder, '.git/index.lock'), '');
    for (const what of ['stage', 'discard'])
      expect(await session.refusal('POST', `/${what}`, { paths: ['a'] })).toEqual([409, 'REPOSITORY_LOCKED']);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('3\n');
    rmSync(join(folder, '.git/index.lock'));
    mkdirSync(join(folder, '.git/rebase-merge'));
    good(await session.call('POST', '/stage', { paths: ['a'] }));
    expect(await session.refusal('POST', '/commit', { message: 'x' })).toEqual([409, 'GIT_TASK_UNDER_WAY']);
    rmSync(join(folder, '.git/rebase-merge'), { recursive: true });
    // Many at once: one after the other.
    for (let at = 0; at < 8; at += 1) repository.write(`f${at}`, 'x\n');
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) => session.call('POST', '/stage', { paths: [`f${at}`] })),
    );
    expect(all.map((answer) => answer.status)).toEqual(Array(8).fill(200));
  });
});
