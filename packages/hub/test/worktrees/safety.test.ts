import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { commitAll, GitRepository, gitIn, writeIn } from '@signalbox/testing/hub/git-repository';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import type { WorktreeRecord } from '../../src/worktrees/worktree-record.ts';
import { Worktrees } from '../../src/worktrees/worktrees.ts';

/** The worktrees of a hub, without the hub. */
class Bench {
  readonly home = realpathSync(temporaryFolder());
  readonly worktrees = new Worktrees(this.home);
  readonly repository = new GitRepository();

  /** What a session gets. */
  async made(slug: string, base?: string, { root } = this.repository): Promise<WorktreeRecord> {
    const asked = { slug, ...(base === undefined ? {} : { base }) };
    const { record } = await this.worktrees.make(`${root} ${slug}`, root, asked, '');
    this.worktrees.keep(record);
    return record;
  }

  release({ session }: WorktreeRecord) {
    return this.worktrees.release(session);
  }
}

describe('worktrees', () => {
  it('[WT1651] a name that was made of words gets a number where it is taken, one that was given is refused; of two at once one wins', async () => {
    const { worktrees, repository, home } = new Bench();
    const make = (session: string, asked: object, { root } = repository) =>
      worktrees.make(session, root, asked, 'Same!').then(
        ({ folder }) => folder.slice(home.length),
        (error: { code: string }) => error.code,
      );
    const exact = { slug: 'same' };
    const both = await Promise.all([make('a', exact), make('b', exact)]);
    expect(both.toSorted()).toEqual(['/worktrees/shop/same', 'WORKTREE_EXISTS']);
    const alike = await Promise.all([make('c', {}), make('d', {})]);
    expect(alike.toSorted()).toEqual(['/worktrees/shop/same-2', '/worktrees/shop/same-3']);
    repository.git('branch', 'signalbox/taken');
    expect(await make('e', { slug: 'taken' })).toBe('BRANCH_EXISTS');
    expect(await make('f', { named: '日本' })).toBe('/worktrees/shop/f');
    // Another repository of the same name, and the same session once more.
    expect(await make('g', exact, new GitRepository())).toBe('/worktrees/shop-2/same');
    expect(await make('c', {})).toMatch(/same-[23]$/);
    expect(repository.worktrees).toHaveLength(5);
  });

  it('[WT1653] no program that a repository names is run: no hook, no monitor, no filter', async () => {
    const bench = new Bench();
    const { repository, worktrees } = bench;
    const traps = ['hook', 'monitor', 'smudge', 'process'].map((name) => repository.trap(name));
    const [hook, monitor, smudge, process] = traps.map(({ program }) => program);
    repository.commit('.gitattributes', '*.txt filter=own\n*.bin filter=long\n');
    repository.commit('a.txt', 'text\n');
    repository.commit('b.bin', 'more\n');
    for (const name of ['post-checkout', 'reference-transaction', 'post-index-change']) {
      renameSync(
        repository.write('hook', readFileSync(hook ?? '', 'utf8')),
        join(repository.root, '.git/hooks', name),
      );
      chmodSync(join(repository.root, '.git/hooks', name), 0o755);
    }
    repository.git('config', 'core.fsmonitor', monitor ?? '');
    repository.git('config', 'filter.own.smudge', smudge ?? '');
    repository.git('config', 'filter.own.clean', smudge ?? '');
    repository.git('config', 'filter.own.required', 'true');
    repository.git('config', 'filter.long.process', process ?? '');
    for (const { wasRun } of traps) expect(wasRun()).toBe(false);
    const record = await bench.made('quiet');
    expect(readFileSync(join(record.folder, 'a.txt'), 'utf8')).toBe('text\n');
    expect(await worktrees.list(async () => false)).toMatchObject([{ keeps: [] }]);
    expect(await bench.release(record)).toMatchObject({ isRemoved: true });
    expect(traps.map(({ wasRun }) => wasRun())).toEqual([false, false, false, false]);
    // Somebody's own git runs them.
    repository.git('worktree', 'add', '--quiet', join(bench.home, 'other'));
    expect(traps.map(({ wasRun }) => wasRun()).slice(0, 3)).toEqual([true, true, true]);
  });

  it('[WT1656] ignored files are copied by the patterns of a trusted set-up, and none without; nothing is written behind a link', async () => {
    const bench = new Bench();
    const { repository, worktrees } = bench;
    repository.commit('.gitignore', '.env*\nsecrets/\nconf/\n');
    const outside = join(dirname(repository.root), 'outside');
    mkdirSync(outside);
    // At the base there is a link in the place of a folder.
    repository.git('checkout', '--quiet', '-b', 'linked');
    symlinkSync(outside, join(repository.root, 'conf'));
    repository.git('add', '--force', 'conf');
    commitAll(repository.root);
    repository.git('checkout', '--quiet', 'main');
    for (const path of ['.env', '.env.local', 'secrets/deep/key', 'secrets/other', 'conf/keys', 'untracked'])
      repository.write(path, path);
    const plain = await bench.made('plain');
    expect(existsSync(join(plain.folder, '.env'))).toBe(false);
    const text = JSON.stringify({
      copy: ['.env*', 'secrets/**/key', 'conf/keys', 'untracked', '--output=x'],
    });
    repository.write('.signalbox/worktree.json', text);
    await worktrees.trustSetup(repository.root, text);
    const { folder } = await bench.made('copied', 'linked');
    const has = (path: string) => existsSync(join(folder, path));
    const copied = ['.env', '.env.local', 'secrets/deep/key'];
    expect([...copied, 'secrets/other', 'untracked'].filter(has)).toEqual(copied);
    expect(existsSync(join(outside, 'keys'))).toBe(false);
  });

  it('[WT1657] with a session goes a worktree of which nothing would be lost; one that is changed, unpushed, hidden or not proven ours stays, and it is said why', async () => {
    const bench = new Bench();
    const { repository } = bench;
    const made = (slug: string) => bench.made(slug);
    const folderOf = ({ folder }: WorktreeRecord) => folder;
    const clean = await made('clean');
    expect(await bench.release(clean)).toEqual({
      folder: clean.folder,
      branch: 'signalbox/clean',
      isRemoved: true,
      isBranchRemoved: true,
      keeps: [],
    });
    expect([existsSync(folderOf(clean)), repository.branches]).toEqual([false, ['main']]);
    const stays = async (session: WorktreeRecord, why: RegExp): Promise<void> => {
      const left = await bench.release(session);
      expect(left).toMatchObject({ isRemoved: false, isBranchRemoved: false });
      expect(left?.keeps.join(' ')).toMatch(why);
      expect(existsSync(folderOf(session))).toBe(true);
    };
    const dirty = await made('dirty');
    writeIn(folderOf(dirty), 'new.txt', 'words');
    await stays(dirty, /^1 file is changed and not committed\.$/);
    const unpushed = await made('unpushed');
    writeIn(folderOf(unpushed), 'new.txt', 'words');
    commitAll(folderOf(unpushed));
    await stays(unpushed, /signalbox\/unpushed has commits that are neither pushed nor merged/);
    const hidden = await made('hidden');
    gitIn(folderOf(hidden), 'update-index', '--assume-unchanged', 'src/index.js');
    writeIn(folderOf(hidden), 'src/index.js', 'not seen');
    await stays(hidden, /overlook/);
    const unmarked = await made('unmarked');
    rmSync(join(repository.root, '.git/worktrees/unmarked/signalbox-worktree'));
    await stays(unmarked, /the mark that Signalbox leaves/);
    const locked = await made('locked');
    repository.git('worktree', 'lock', folderOf(locked));
    await stays(locked, /it is locked/);
    const detached = await made('detached');
    gitIn(folderOf(detached), 'checkout', '--quiet', '--detach');
    writeIn(folderOf(detached), 'detached.txt', 'words');
    commitAll(folderOf(detached));
    await stays(detached, /on no branch/);
    const replaced = await made('replaced');
    repository.git('worktree', 'remove', folderOf(replaced));
    mkdirSync(folderOf(replaced));
    await stays(replaced, /git does not know it/);
    // Merged or pushed, it is nowhere alone.
    const merged = await made('merged');
    writeIn(folderOf(merged), 'merged.txt', 'words');
    commitAll(folderOf(merged));
    repository.git('merge', '--quiet', 'signalbox/merged');
    expect(await bench.release(merged)).toMatchObject({ isRemoved: true, isBranchRemoved: true });
    const remote = join(dirname(repository.root), 'remote.git');
    repository.git('clone', '--quiet', '--bare', '.', remote);
    repository.git('remote', 'add', 'origin', remote);
    const pushed = await made('pushed');
    writeIn(folderOf(pushed), 'pushed.txt', 'words');
    commitAll(folderOf(pushed));
    gitIn(folderOf(pushed), 'push', '--quiet', 'origin', 'HEAD');
    expect(await bench.release(pushed)).toMatchObject({ isRemoved: true, isBranchRemoved: true });
  });
});
