import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GitRepository, gitIn, writeIn } from '@signalbox/testing/hub/git-repository';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import type { WorktreeRecord } from '../../src/worktrees/worktree-record.ts';
import { Worktrees } from '../../src/worktrees/worktrees.ts';

const MARK = 'signalbox-worktree';

async function made(repository: GitRepository): Promise<{ worktrees: Worktrees; record: WorktreeRecord }> {
  const worktrees = new Worktrees(realpathSync(temporaryFolder()));
  const { record } = await worktrees.make('s1', repository.root, { slug: 'own' }, '');
  worktrees.keep(record);
  return { worktrees, record };
}

describe('a worktree whose agent means harm', () => {
  it('[WT1843] has no program of its own configuration run when it is removed', async () => {
    const repository = new GitRepository();
    const { worktrees, record } = await made(repository);
    const { program, wasRun } = repository.trap('clean');
    gitIn(record.folder, 'config', 'extensions.worktreeConfig', 'true');
    gitIn(record.folder, 'config', '--worktree', 'filter.own.clean', program);
    writeIn(repository.root, '.git/info/attributes', '* filter=own\n');
    // Git has to read it to know that it is what it was.
    utimesSync(join(record.folder, 'src/index.js'), new Date(), new Date());
    expect(await worktrees.release('s1')).toMatchObject({ isRemoved: true });
    expect(wasRun()).toBe(false);
  });

  it('[WT1844] is not proven by a mark that is a pipe or has no end, and the hub does not wait for it', async () => {
    const repository = new GitRepository();
    const { worktrees, record } = await made(repository);
    const mark = join(repository.root, '.git/worktrees/own', MARK);
    const id = readFileSync(mark, 'utf8');
    const put = [
      () => execFileSync('mkfifo', [mark]),
      () => symlinkSync('/dev/zero', mark),
      () => writeIn(dirname(mark), MARK, `${id}x`),
    ];
    for (const one of put) {
      rmSync(mark);
      one();
      expect(await worktrees.list(async () => false)).toMatchObject([{ isOurs: false }]);
      expect(await worktrees.release('s1')).toMatchObject({ isRemoved: false });
    }
    rmSync(mark);
    writeIn(dirname(mark), MARK, id);
    expect(await worktrees.release('s1')).toMatchObject({ isRemoved: true });
    expect(existsSync(record.folder)).toBe(false);
  });

  it('[WT1845] is not removed through a link to another worktree, however that is marked', async () => {
    const repository = new GitRepository();
    const { worktrees, record } = await made(repository);
    const persons = join(dirname(repository.root), 'persons');
    repository.git('worktree', 'add', '--quiet', '-b', 'mine', persons);
    writeIn(persons, 'draft', 'not committed\n');
    const names = join(repository.root, '.git/worktrees');
    renameSync(join(names, 'own', MARK), join(names, 'persons', MARK));
    rmSync(join(names, 'own'), { recursive: true });
    renameSync(record.folder, `${record.folder}-away`);
    symlinkSync(persons, record.folder);
    expect(await worktrees.release('s1')).toMatchObject({ isRemoved: false });
    const removal = worktrees.remove(record.repository, record.slug, async () => false);
    await expect(removal).rejects.toMatchObject({ code: 'WORKTREE_NOT_OURS' });
    expect(readFileSync(join(persons, 'draft'), 'utf8')).toBe('not committed\n');
  });

  it('[WT2085] is removed once by two at a time, and the next of its name is left alone', async () => {
    const repository = new GitRepository();
    const { worktrees, record } = await made(repository);
    const isSession = async (id: string): Promise<boolean> => id === 's2';
    const remove = () => worktrees.remove(record.repository, record.slug, isSession);
    const first = remove();
    const removals = Promise.allSettled([first, remove(), remove()]);
    await first;
    const again = await worktrees.make('s2', repository.root, { slug: 'own' }, '');
    worktrees.keep(again.record);
    writeIn(again.record.folder, 'draft', 'not committed\n');
    expect(await removals).toMatchObject([
      { status: 'fulfilled', value: { isRemoved: true } },
      { reason: { code: 'WORKTREE_NOT_FOUND' } },
      { reason: { code: 'WORKTREE_NOT_FOUND' } },
    ]);
    await expect(remove()).rejects.toMatchObject({ code: 'WORKTREE_IN_USE' });
    expect(readFileSync(join(again.record.folder, 'draft'), 'utf8')).toBe('not committed\n');
  });
});
