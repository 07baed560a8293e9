import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestRepository } from '@signalbox/testing/hub/changes-stage';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { SessionSnapshots } from '../../src/changes/session-snapshots.ts';
import { greetedThen, LaunchStage } from '../launch/launch-stage.ts';

const never = async (): Promise<boolean> => false;

describe('the files around a turn', () => {
  it('[CG2082] are those of the folder that the hub launched the agent in, whatever the agent calls its folder', async () => {
    const [own, other] = [new TestRepository(), new TestRepository()];
    own.commit({ 'own.txt': 'one\n' });
    other.commit({ 'secret.txt': 'one\n' });
    other.git('checkout', '-q', '-b', 'secret-branch');
    const stage = await LaunchStage.open();
    const init = { type: 'system', subtype: 'init', session_id: 'x', cwd: other.folder, tools: [] };
    const files = [join(own.folder, 'own.txt'), join(other.folder, 'secret.txt')];
    const agent = greetedThen(`
      const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        if (JSON.parse(line).type !== 'user') return;
        say(${JSON.stringify(init)});
        setTimeout(() => {
          for (const file of ${JSON.stringify(files)}) require('node:fs').writeFileSync(file, 'two\\n');
          say({ type: 'result', subtype: 'success', is_error: false, result: '', session_id: 'x' });
        }, 300);
      });`);
    const { id } = await stage.launched({ folder: own.folder, ...agent });
    await stage.prompt(id, 'go');
    const session = async () => (await stage.call('GET', `/api/sessions/${id}`)).body;
    await until(async () => (await session()).git?.changed === 1);
    expect(await session()).toMatchObject({ folder: other.folder, git: { branch: 'main' } });
    const turns = async () => (await stage.call('GET', `/api/sessions/${id}/changes/turns`)).body.items;
    await until(async () => (await turns()).length > 0);
    const [{ turn }] = await turns();
    const { body } = await stage.call('GET', `/api/sessions/${id}/changes?base=turn&turn=${turn}`);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('[CG2083] are noted amid a rebase, which goes on as it was', async () => {
    const repository = new TestRepository();
    repository.commit({ 'a.txt': 'one\n' });
    repository.git('checkout', '-q', '-b', 'other');
    repository.commit({ 'a.txt': 'theirs\n' });
    repository.git('checkout', '-q', 'main');
    repository.commit({ 'a.txt': 'ours\n' });
    expect(() => repository.git('rebase', '-q', 'other')).toThrow();
    const index = (): Buffer => readFileSync(join(repository.folder, '.git/index'));
    const before = index();
    const snapshots = new SessionSnapshots(temporaryFolder());
    await snapshots.begin(repository.folder);
    await snapshots.beginTurn(repository.folder, never);
    repository.write('a.txt', 'both\n');
    repository.write('b.txt', 'new\n');
    expect(await snapshots.endTurn(repository.folder, 7)).toMatchObject({ turn: 7, files: 2, leftOut: null });
    expect(index()).toEqual(before);
    expect(existsSync(join(repository.folder, '.git/rebase-merge'))).toBe(true);
    expect(repository.git('ls-files', '--unmerged')).toContain('a.txt');
  });

  it('[CG2084] that are too much together, or that git took too long for a while ago, are not noted, and why is said', async () => {
    const repository = new TestRepository();
    repository.commit({ 'a.txt': 'one\n' });
    for (let n = 0; n < 70; n += 1) {
      repository.write(`large-${n}`, '');
      truncateSync(join(repository.folder, `large-${n}`), 1024 * 1024);
    }
    const snapshots = new SessionSnapshots(temporaryFolder());
    await snapshots.beginTurn(repository.folder, never);
    expect(await snapshots.endTurn(repository.folder, 1)).toMatchObject({
      files: 0,
      leftOut: expect.stringContaining('67108864'),
    });

    const kept = temporaryFolder();
    const slow = { at: Date.now(), leftOut: 'git took more than 10 seconds' };
    const file = join(kept, 'snapshots.json');
    writeFileSync(file, JSON.stringify({ start: null, open: null, turns: [], slow }));
    const rested = new SessionSnapshots(kept);
    await rested.beginTurn(repository.folder, never);
    expect(await rested.endTurn(repository.folder, 1)).toMatchObject({ leftOut: slow.leftOut });
    // Git was not run for it.
    expect(existsSync(join(kept, 'objects'))).toBe(false);
  });
});
