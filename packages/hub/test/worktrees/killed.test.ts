import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitRepository } from '@signalbox/testing/hub/git-repository';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { SmallDisk } from '../api/small-disk.ts';

const worktreesOf = (home: string): string[] =>
  existsSync(join(home, 'worktrees/shop')) ? readdirSync(join(home, 'worktrees/shop')) : [];

describe('a worktree that is not made to its end', () => {
  it('[WT1659] a hub that is killed over it undoes it at its next start, git that was at work included', async () => {
    const home = temporaryFolder();
    const repository = new GitRepository();
    repository.commit('.gitattributes', '*.txt filter=slow\n');
    repository.commit('a.txt', 'text\n');
    // A filter of the person is run: it is theirs.
    const begun = join(home, 'begun');
    const slow = `"touch '${begun}'; test -e '${home}/fast' || sleep 1000; cat"`;
    writeFileSync(join(home, '.gitconfig'), `[filter "slow"]\nsmudge = ${slow}\n`);
    const hub = await HubProcess.start(home);
    const launch = { agent: 'scripted', folder: repository.root, worktree: { slug: 'half' } };
    const asked = call(hub.url, hub.token, 'POST', '/api/sessions', { launch }).catch(() => undefined);
    await until(() => existsSync(begun));
    expect(worktreesOf(home)).toEqual(['half']);
    await hub.kill();
    await asked;
    const next = await HubProcess.start(home);
    expect(worktreesOf(home)).toEqual([]);
    expect(repository.worktrees).toHaveLength(1);
    expect(repository.branches).toEqual(['main']);
    const items = async (path: string) => (await call(next.url, next.token, 'GET', path)).body.items;
    expect([await items('/api/sessions'), await items('/api/worktrees')]).toEqual([[], []]);
    // And its name can be had again.
    writeFileSync(join(home, 'fast'), '');
    const { status, body } = await call(next.url, next.token, 'POST', '/api/sessions', { launch });
    expect([status, worktreesOf(home)]).toEqual([201, ['half']]);
    await call(next.url, next.token, 'POST', `/api/sessions/${body.session.id}/stop`);
    rmSync(begun);
  });

  it('[WT1660] a disk that is full in the middle of it leaves nothing of it, and says so', async () => {
    const disk = await SmallDisk.start();
    const repository = new GitRepository();
    repository.git('branch', 'small');
    repository.write('large.bin', '');
    writeFileSync(join(repository.root, 'large.bin'), randomBytes(30 * 1024 * 1024));
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--message', 'large');
    const launch = { agent: 'scripted', folder: repository.root, worktree: { slug: 'large' } };
    const { body } = await disk.call('POST', '/api/sessions', { launch });
    expect(body).toMatchObject({ status: 422, code: 'WORKTREE_NOT_MADE' });
    expect(body.detail).toMatch(/nothing of it is left: .*(No space left|unable to write)/s);
    expect(repository.worktrees).toHaveLength(1);
    expect(repository.branches).toEqual(['main', 'small']);
    expect((await disk.call('GET', '/api/worktrees')).body.items).toEqual([]);
    const small = { ...launch, worktree: { slug: 'large', base: 'small' } };
    const made = await disk.call('POST', '/api/sessions', { launch: small });
    expect([made.status, made.body.code]).toEqual([201, undefined]);
    await disk.call('POST', `/api/sessions/${made.body.session.id}/stop`);
  });
});
