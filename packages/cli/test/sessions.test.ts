import { describe, expect, it } from 'vitest';
import { HubStage } from './hub-stage.ts';

const startHub = HubStage.ofFile();

describe('signalbox sessions', () => {
  it('[CL16] lists sessions, those that ask first, all or of one state, for people and for programs', async () => {
    const stage = await startHub();
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
      new RegExp(`^${asking.slice(0, 8)} +asks you +The one that asks +~/project +\\S+.* ago$`),
    );
    expect(second).toContain('The quiet one');
    const listed = JSON.parse((await stage.run('sessions', '--json', '--state', 'asking')).stdout);
    expect(listed).toMatchObject([{ id: asking, state: 'asking' }]);
  });

  it('[CL280] calls states by the words of the console, and takes those of the API as well', async () => {
    const stage = await startHub();
    const id = await stage.launch('The quiet one');
    await stage.run('run', '--session', id, 'say hello');
    for (const state of ['ready', 'idle']) {
      const { stdout } = await stage.run('sessions', '--state', state);
      expect(stdout).toMatch(new RegExp(`^${id.slice(0, 8)} +ready +The quiet one`, 'm'));
    }
    await stage.run('sessions', 'stop', id);
    expect((await stage.run('sessions')).stdout).toMatch(new RegExp(`^${id.slice(0, 8)} +ended `, 'm'));
    expect((await stage.run('sessions', '--state', 'ready')).stdout).toBe('No session is in that state.\n');
    expect(await stage.run('sessions', '--state', 'busy')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'starting, working, "asks you", ready, "in a terminal", "not connected", ended',
      ),
    });
  });

  it('[CL281] deletes a session with its agent once a person has read what that means', async () => {
    const stage = await startHub();
    const id = await stage.launch('To be deleted');
    expect(await stage.run('sessions', 'rm', id)).toMatchObject({ code: 1 });
    const first = await stage.open('sessions', 'rm', id);
    await first.see('This ends its agent and deletes all that was said in “To be deleted”, for good.');
    await first.type('n');
    await first.press('Enter');
    await first.see('Nothing was deleted.');
    await first.see('exit code 1');
    const second = await stage.open('sessions', 'rm', id);
    await second.see('Go on? [y/N]');
    await second.type('y');
    await second.press('Enter');
    await second.see(`deleted ${id.slice(0, 8)} To be deleted`);
    expect((await stage.api.sessions()).items).toEqual([]);
    expect(await stage.bridges()).toEqual([]);
    const other = await stage.launch('Another');
    expect(await stage.run('sessions', 'rm', '--yes', other)).toMatchObject({ code: 0 });
  });

  it('[CL37] is no wider than the terminal', async () => {
    const stage = await startHub();
    await stage.launch('A session whose title is long enough for three terminals');
    const pane = await stage.openAt(60, 'sessions');
    const lines = (await pane.see('exit code 0')).split('\n').filter((line) => line.trim() !== '');
    expect(lines.length).toBe(3);
    expect(lines[1]).toMatch(/^[0-9a-f]{8} +\S+ +A session whose t/);
  });

  it('[CL17] stops, restarts and removes a session by the start of its id', async () => {
    const stage = await startHub();
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
