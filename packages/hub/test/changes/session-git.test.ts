import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitRepository, gitIn } from '@signalbox/testing/hub/git-repository';
import { until } from '@signalbox/testing/hub/test-parts';
import { HubStream, type Session } from 'signalbox/hub';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LaunchStage } from '../launch/launch-stage.ts';

const FREE = { mode: 'bypassPermissions' } as const;

describe('how the repository of a session stands', () => {
  it('[CG1777] branch, ahead, behind and changed are facts of a session, looked at when it starts, when a turn ends and while somebody watches', async () => {
    const stage = await LaunchStage.open();
    const repository = new GitRepository();
    const origin = join(stage.home, 'origin');
    gitIn(stage.home, 'clone', '--quiet', '--bare', repository.root, origin);
    repository.git('remote', 'add', 'origin', origin);
    repository.git('fetch', '--quiet', 'origin');
    repository.git('branch', '--set-upstream-to=origin/main');
    repository.git('config', 'user.name', 'Ada');
    repository.git('config', 'user.email', 'ada@example.com');
    const becomes = async (id: string, git: Session['git']): Promise<Session> => {
      const read = async (): Promise<Session> => (await stage.call('GET', `/api/sessions/${id}`)).body;
      await until(async () => JSON.stringify((await read()).git) === JSON.stringify(git));
      return read();
    };
    const own = await stage.launched({ ...FREE, folder: repository.root });
    await becomes(own.id, { branch: 'main', ahead: 0, behind: 0, changed: 0 });
    await stage.prompt(own.id, 'run echo x > new.txt && git commit -q --allow-empty -m one');
    await becomes(own.id, { branch: 'main', ahead: 1, behind: 0, changed: 1 });
    // A branch of a worktree has no upstream: what it was made from stands in.
    const apart = await stage.launched({ ...FREE, folder: repository.root, worktree: { slug: 'apart' } });
    await becomes(apart.id, { branch: 'signalbox/apart', ahead: 0, behind: 0, changed: 0 });
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'two');
    await stage.prompt(apart.id, 'run git commit -q --allow-empty -m mine');
    const { updatedAt } = await becomes(apart.id, {
      branch: 'signalbox/apart',
      ahead: 1,
      behind: 1,
      changed: 0,
    });
    // Where somebody watches the changes, by itself; the session is none the newer for it.
    const stream = new HubStream({ url: stage.hub.url, token: stage.token });
    onTestFinished(() => stream.close());
    await new Promise<void>((resolve) => stream.watchChanges(apart.id, resolve));
    writeFileSync(join(apart.folder ?? '', 'by-hand.txt'), 'x\n');
    const later = await becomes(apart.id, { branch: 'signalbox/apart', ahead: 1, behind: 1, changed: 1 });
    expect(later.updatedAt).toBe(updatedAt);
    const plain = await stage.launched(FREE);
    await stage.prompt(plain.id, 'say hello');
    expect(plain.git).toBeNull();
  });
});
