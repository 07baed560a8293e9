import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitRepository, writeIn } from '@signalbox/testing/hub/git-repository';
import { describe, expect, it } from 'vitest';
import { HubStage } from './hub-stage.ts';

describe('worktrees from a terminal', () => {
  it('[CL1662] run --worktree works in one of its own; worktrees lists, trusts, sweeps and removes; sessions rm says what stays', async () => {
    const stage = await HubStage.start();
    const repository = new GitRepository(stage.project);
    repository.git('branch', 'older');
    repository.commit('src/index.js', 'two\n');
    writeIn(stage.project, '.signalbox/worktree.json', JSON.stringify({ setup: 'touch ready' }));
    const run = ['run', '--agent', 'signalbox-agent', '--worktree', '--base', 'older'];
    const refused = await stage.run(...run, 'say one');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('signalbox worktrees trust');
    expect(await stage.run('worktrees', 'trust')).toMatchObject({ code: 2 });
    const trusted = await stage.run('worktrees', 'trust', '--yes');
    expect(trusted.stdout).toMatch(
      /It runs in every new worktree:\n {2}touch ready\nThe set-up of .* is trusted/,
    );
    expect(await stage.run(...run, 'say once upon a time')).toMatchObject({
      code: 0,
      stdout: 'once upon a time\n',
    });
    const folder = join(stage.home, 'data/worktrees/project/say-once-upon-a-time');
    expect(existsSync(join(folder, 'ready'))).toBe(true);
    expect(readFileSync(join(folder, 'src/index.js'), 'utf8')).toBe('one\n');
    const listed = await stage.run('worktrees');
    expect(listed.stdout).toMatch(/^WORKTREE .*\nproject\/say-once-upon-a-time .*a session works in it/);
    const [session] = JSON.parse((await stage.run('sessions', '--json')).stdout);
    const gone = await stage.run('sessions', 'rm', '--yes', session.id);
    expect(gone.stdout).toMatch(/say-once-upon-a-time stays: 1 file is changed and not committed/);
    expect((await stage.run('worktrees', 'sweep')).stdout).toMatch(/say-once-upon-a-time stays: 1 file/);
    const named = ['worktrees', 'rm', 'project/say-once-upon-a-time'];
    expect(await stage.run(...named)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect((await stage.run(...named, '--yes')).stdout).toMatch(/^removed .* and its branch signalbox\//);
    expect(existsSync(folder)).toBe(false);
    expect((await stage.run('worktrees')).stdout).toMatch(/^No worktrees\./);
    expect(await stage.run('run', '--base', 'older', 'say no')).toMatchObject({ code: 2 });
  });
});
