import { describe, expect, it } from 'vitest';
import { HubStage } from './hub-stage.ts';

describe('signalbox sessions', { timeout: 120_000 }, () => {
  it('[CL16] lists sessions, those that ask first, all or of one state, for people and for programs', async () => {
    const stage = await HubStage.start();
    expect(await stage.run('sessions')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No sessions'),
    });
    const asking = await stage.launch('The one that asks');
    await stage.launch('The quiet one');
    await stage.api.prompt(asking, { clientId: 'p', content: 'run touch file' });
    await stage.openAsk();
    const { stdout } = await stage.run('sessions');
    const [heading, first, second] = stdout.split('\n');
    expect(heading).toMatch(/^ID +STATE +TITLE +FOLDER +AGENT +CHANGED$/);
    expect(first).toMatch(
      new RegExp(`^${asking.slice(0, 8)} +asking +The one that asks +~/project +\\S+.* ago$`),
    );
    expect(second).toContain('The quiet one');
    const listed = JSON.parse((await stage.run('sessions', '--json', '--state', 'asking')).stdout);
    expect(listed).toMatchObject([{ id: asking, state: 'asking' }]);
  });

  it('[CL37] is no wider than the terminal', async () => {
    const stage = await HubStage.start();
    await stage.launch('A session whose title is long enough for three terminals');
    const pane = await stage.openAt(60, 'sessions');
    const lines = (await pane.see('exit code 0')).split('\n').filter((line) => line.trim() !== '');
    expect(lines.length).toBe(3);
    expect(lines[1]).toMatch(/^[0-9a-f]{8} +\S+ +A session whose t/);
  });

  it('[CL17] stops, restarts and removes a session by the start of its id', async () => {
    const stage = await HubStage.start();
    const id = await stage.launch('To be ended');
    const start = id.slice(0, 6);
    expect(await stage.run('sessions', 'stop', start)).toMatchObject({ code: 0 });
    expect((await stage.api.session(id)).state).toBe('exited');
    expect(await stage.run('sessions', 'restart', start)).toMatchObject({ code: 0 });
    const again = await stage.run('run', '--session', start, 'say back again');
    expect(again.stdout).toContain('back again');
    await stage.run('sessions', 'stop', start);
    expect(await stage.run('sessions', 'rm', start)).toMatchObject({ code: 0 });
    expect((await stage.api.sessions()).items).toEqual([]);
    const unclear = await stage.run('sessions', 'stop', start);
    expect(unclear).toMatchObject({ code: 1, stderr: expect.stringContaining(`begins with ${start}`) });
  });
});
