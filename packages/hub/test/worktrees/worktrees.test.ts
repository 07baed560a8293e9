import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Session } from '@signalbox/protocol/hub';
import { commitAll, GitRepository, gitIn, writeIn } from '@signalbox/testing/hub/git-repository';
import { type Answer, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { Worktrees } from '../../src/worktrees/worktrees.ts';
import { greetedThen, LaunchStage } from '../launch/launch-stage.ts';

const AGENT = greetedThen('');

async function open(): Promise<{ stage: LaunchStage; repository: GitRepository }> {
  return { stage: await LaunchStage.open(), repository: new GitRepository() };
}

/** Start an agent that does nothing, in a worktree of its own. */
function launch(stage: LaunchStage, folder: string, worktree: object, session: object = {}): Promise<Answer> {
  return stage.launch({ ...AGENT, folder, worktree }, session);
}

async function launched(stage: LaunchStage, folder: string, slug: string): Promise<Session> {
  const { status, body } = await launch(stage, folder, { slug });
  expect([status, body.code]).toEqual([201, undefined]);
  return body.session;
}

/** End the agent of a session and remove it; gives what is said of its worktree. */
async function removed(stage: LaunchStage, { id }: Session) {
  await stage.call('POST', `/api/sessions/${id}/stop`);
  const { status, body } = await stage.call('DELETE', `/api/sessions/${id}`);
  expect(status).toBe(200);
  return body.worktree;
}

const worktreesIn = async (stage: LaunchStage) => (await stage.call('GET', '/api/worktrees')).body.items;

describe('worktrees of sessions', () => {
  it('[WT1650] a session gets a working tree of its own, on a branch of its own, from a chosen base', async () => {
    const { stage, repository } = await open();
    repository.git('branch', 'older');
    repository.commit('src/index.js', 'two\n');
    repository.write('src/index.js', 'changed and not committed\n');
    const { body } = await launch(
      stage,
      join(repository.root, 'src'),
      { base: 'older' },
      { title: 'Fix: the Äpfel!' },
    );
    const folder = join(stage.home, 'worktrees', 'shop', 'fix-the-apfel');
    expect(body.session).toMatchObject({ state: 'idle', folder: join(folder, 'src'), isLaunched: true });
    expect(readFileSync(join(folder, 'src/index.js'), 'utf8')).toBe('one\n');
    expect(gitIn(folder, 'branch', '--show-current')).toBe('signalbox/fix-the-apfel\n');
    expect(readFileSync(join(repository.root, 'src/index.js'), 'utf8')).toBe('changed and not committed\n');
    // Started again, it is where it was.
    await stage.call('POST', `/api/sessions/${body.session.id}/restart`);
    expect((await stage.call('GET', `/api/sessions/${body.session.id}`)).body.folder).toBe(
      join(folder, 'src'),
    );
    expect(repository.worktrees).toHaveLength(2);
    // What is checked out, unless it is said; and of a worktree its repository's.
    const second = await launched(stage, folder, 'second');
    expect(second.folder).toBe(join(stage.home, 'worktrees/shop/second'));
    expect(readFileSync(join(second.folder ?? '', 'src/index.js'), 'utf8')).toBe('one\n');
    expect(await worktreesIn(stage)).toMatchObject([
      {
        repository: 'shop',
        slug: 'fix-the-apfel',
        root: repository.root,
        session: body.session.id,
        isOurs: true,
      },
      { repository: 'shop', slug: 'second', branch: 'signalbox/second', setup: 'none' },
    ]);
    const known = await stage.call('GET', `/api/repositories?folder=${encodeURIComponent(folder)}`);
    expect(known.body).toMatchObject({
      root: repository.root,
      branch: 'signalbox/fix-the-apfel',
      setup: null,
    });
    expect(known.body.branches).toEqual(expect.arrayContaining(['main', 'older']));
  });

  it('[WT1652] what is no repository, is bare, empty, busy or locked, and a base that is none, is refused in words; nothing is left of it', async () => {
    const { stage, repository } = await open();
    const refused = async (folder: string, worktree: object = { slug: 'x' }): Promise<string> => {
      const { body } = await launch(stage, folder, worktree);
      return `${body.code}: ${body.detail}`;
    };
    expect(await refused(stage.folder)).toMatch(/^NOT_A_REPOSITORY: .* is in no git repository/);
    const bare = join(dirname(repository.root), 'bare.git');
    repository.git('clone', '--quiet', '--bare', '.', bare);
    expect(await refused(bare)).toMatch(/^NOT_A_REPOSITORY: .* is a bare repository/);
    const empty = join(stage.folder, 'empty');
    mkdirSync(empty);
    gitIn(empty, 'init', '--quiet');
    expect(await refused(empty)).toMatch(/^BASE_NOT_FOUND: There is no commit yet/);
    expect(await refused(repository.root, { slug: 'x', base: 'nowhere' })).toMatch(
      /^BASE_NOT_FOUND: nowhere/,
    );
    expect(await refused(repository.root, { slug: 'x', base: '--exec=sh' })).toMatch(/^REQUEST_INVALID/);
    expect(await refused(repository.root, { slug: '../x' })).toMatch(/^REQUEST_INVALID/);
    // In the middle of a rebase that does not go on.
    repository.git('checkout', '--quiet', '-b', 'side');
    repository.commit('src/index.js', 'side\n');
    repository.git('checkout', '--quiet', 'main');
    repository.commit('src/index.js', 'main\n');
    expect(() => repository.git('rebase', 'side')).toThrow();
    expect(await refused(repository.root)).toMatch(/^REPOSITORY_BUSY: .* a rebase is under way/);
    const lock = repository.write('.git/refs/heads/signalbox/x.lock', '');
    expect(await refused(repository.root, { slug: 'x', base: 'side' })).toMatch(
      /^REPOSITORY_BUSY: .*x\.lock/,
    );
    rmSync(lock);
    expect(repository.worktrees).toHaveLength(1);
    expect(repository.branches).toEqual(['main', 'side']);
    expect(await worktreesIn(stage)).toEqual([]);
    expect((await stage.call('GET', '/api/sessions')).body.items).toEqual([]);
    // A lock of somebody's own git is in nobody's way, and a rebase neither once the base is named.
    repository.write('.git/index.lock', '');
    const worktrees = new Worktrees(stage.home);
    const { record } = await worktrees.make('s', repository.root, { slug: 'x', base: 'side' }, '');
    expect(gitIn(record.folder, 'log', '--format=%s').split('\n')).toHaveLength(3);
  });

  it('[WT1654] a set-up command is run once somebody trusts its exact text; a changed one is asked about again', async () => {
    const { stage, repository } = await open();
    const at = `/api/repositories?folder=${encodeURIComponent(repository.root)}`;
    const setup = (command: string) =>
      repository.write('.signalbox/worktree.json', JSON.stringify({ setup: command }));
    setup('echo "in $PWD of $SIGNALBOX_REPOSITORY"; touch ready');
    const refused = await launch(stage, repository.root, { slug: 'one' });
    expect(refused.body).toMatchObject({ code: 'SETUP_NOT_TRUSTED', status: 409 });
    expect(repository.worktrees).toHaveLength(1);
    const { body: seen } = await stage.call('GET', at);
    expect(seen.setup).toMatchObject({ command: expect.stringContaining('touch ready'), isTrusted: false });
    const trust = (text: string, token?: string) =>
      stage.call('POST', '/api/trusted-setups', { folder: repository.root, text }, token);
    expect((await trust('{}')).body.code).toBe('SETUP_CHANGED');
    const driver = await tokenFor(stage.store, { scope: 'drive', name: 'driver' });
    expect((await trust(seen.setup.text, driver)).body.code).toBe('FORBIDDEN');
    expect((await trust(seen.setup.text)).body.setup.isTrusted).toBe(true);
    const { body } = await launch(stage, repository.root, { slug: 'one' });
    expect(body.session.state).toBe('starting');
    await until(async () => (await stage.stateOf(body.session.id)) === 'idle');
    expect(existsSync(join(body.session.folder, 'ready'))).toBe(true);
    expect((await stage.call('GET', `/api/sessions/${body.session.id}/setup`)).body).toMatchObject({
      state: 'done',
      output: `in ${body.session.folder} of ${repository.root}\n`,
    });
    setup('echo other');
    expect((await launch(stage, repository.root, { slug: 'two' })).body.code).toBe('SETUP_NOT_TRUSTED');
    expect((await launch(stage, repository.root, { slug: 'two', setup: 'skip' })).status).toBe(201);
    repository.write('.signalbox/worktree.json', '{"setup":');
    expect((await stage.call('GET', at)).body.code).toBe('SETUP_INVALID');
  });

  it('[WT1655] a set-up that fails keeps the agent from starting and the prompt waiting; the next start runs it again', async () => {
    const { stage, repository } = await open();
    const failing = 'echo no registry >&2; exit 3';
    const text = JSON.stringify({ setup: `test -e mended || { ${failing}; }` });
    repository.write('.signalbox/worktree.json', text);
    await stage.call('POST', '/api/trusted-setups', { folder: repository.root, text });
    const spec = { ...AGENT, folder: repository.root, worktree: { slug: 'one' }, prompt: 'work' };
    const { body } = await stage.launch(spec);
    const { id, folder } = body.session;
    await until(async () => (await stage.stateOf(id)) === 'exited');
    const session = (await stage.call('GET', `/api/sessions/${id}`)).body;
    expect(session.exit.stderr).toMatch(/failed with code 3.*no registry/s);
    expect((await stage.call('GET', `/api/sessions/${id}/prompts`)).body.items).toHaveLength(1);
    writeIn(folder, 'mended', '');
    await stage.call('POST', `/api/sessions/${id}/restart`);
    await until(async () => (await stage.stateOf(id)) === 'active');
    expect((await stage.call('GET', `/api/sessions/${id}/setup`)).body.state).toBe('done');
    // Ended in the middle of it, it is stopped with all that it started.
    const endless = JSON.stringify({ setup: 'sleep 1000 & wait' });
    repository.write('.signalbox/worktree.json', endless);
    await stage.call('POST', '/api/trusted-setups', { folder: repository.root, text: endless });
    const { body: second } = await stage.launch({ ...spec, worktree: { slug: 'two' } });
    const setup = `/api/sessions/${second.session.id}/setup`;
    await until(async () => (await stage.call('GET', setup)).body.state === 'running');
    await stage.call('POST', `/api/sessions/${second.session.id}/stop`);
    await until(async () => (await stage.call('GET', setup)).body.state === 'failed');
    await until(async () => (await stage.stateOf(second.session.id)) === 'exited');
  });

  it('[WT1658] a sweep removes what is left over and safe; what a person names goes with its changes, and its commits stay on their branch', async () => {
    const { stage, repository } = await open();
    const sweep = async () => (await stage.call('POST', '/api/worktrees/sweep')).body.items;
    const used = await launched(stage, repository.root, 'used');
    const left = await launched(stage, repository.root, 'left');
    const folder = left.folder ?? '';
    writeIn(folder, 'committed.txt', 'words');
    commitAll(folder);
    writeIn(folder, 'changed.txt', 'words');
    expect(await removed(stage, left)).toMatchObject({ isRemoved: false });
    const byHand = await launched(stage, repository.root, 'by-hand');
    writeIn(byHand.folder ?? '', 'changed.txt', 'words');
    expect(await removed(stage, byHand)).toMatchObject({ isRemoved: false });
    rmSync(byHand.folder ?? '', { recursive: true });
    const stranger = join(stage.home, 'worktrees/shop/stranger');
    mkdirSync(stranger);
    const listed = await worktreesIn(stage);
    expect(listed.map(({ slug, keeps }: { slug: string; keeps: string[] }) => [slug, keeps.length])).toEqual([
      ['by-hand', 0],
      ['left', 2],
      ['used', 1],
      ['stranger', 1],
    ]);
    expect(await sweep()).toMatchObject([
      { folder: byHand.folder, isRemoved: true, isBranchRemoved: true },
      {
        folder,
        isRemoved: false,
        keeps: [expect.stringMatching(/changed/), expect.stringMatching(/neither/)],
      },
    ]);
    const remove = (slug: string, token?: string) =>
      stage.call('DELETE', `/api/worktrees/shop/${slug}`, undefined, token);
    expect((await remove('used')).body.code).toBe('WORKTREE_IN_USE');
    expect((await remove('stranger')).body.code).toBe('WORKTREE_NOT_OURS');
    expect((await remove('nothing')).body.code).toBe('WORKTREE_NOT_FOUND');
    expect((await remove('..%2F..%2Fhub.db')).body.code).toBe('WORKTREE_NOT_FOUND');
    const driver = await tokenFor(stage.store, { scope: 'drive', name: 'driver' });
    expect((await remove('left', driver)).body.code).toBe('FORBIDDEN');
    expect((await remove('left')).body).toMatchObject({ isRemoved: true, isBranchRemoved: false });
    expect([existsSync(folder), existsSync(used.folder ?? ''), existsSync(stranger)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(repository.git('show', 'signalbox/left:committed.txt')).toBe('words');
    expect(repository.branches).toEqual(['main', 'signalbox/left', 'signalbox/used']);
  });
});
