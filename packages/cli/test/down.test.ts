import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isRunning } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HubStage, SIGNALBOX } from './hub-stage.ts';

describe('signalbox down', () => {
  it('[CL284] ends the hub, says which agents go on and how to end them, and ends them without a hub', async () => {
    const stage = await HubStage.start();
    const session = await stage.launch('To go on');
    const { hubPid = 0 } = stage;
    const [bridge = 0] = await stage.bridges();
    const down = await stage.run('down');
    expect(down).toMatchObject({ code: 0, stdout: expect.stringContaining(`ended the hub (pid ${hubPid})`) });
    expect(down.stdout).toContain(`  ${session.slice(0, 8)} in ${stage.project}`);
    expect(down.stdout).toMatch(/down --agents ends it\.$/m);
    expect(isRunning(hubPid)).toBe(false);
    expect(isRunning(bridge)).toBe(true);
    const agents = await stage.run('down', '--agents');
    expect(agents).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`ended the agent of ${session.slice(0, 8)}`),
    });
    expect(isRunning(bridge)).toBe(false);
    expect(await stage.run('down', '--agents')).toMatchObject({ code: 0, stdout: 'No hub runs here.\n' });
  });

  it('[CL285] with --agents ends the agents by the hub, so that their sessions have ended when it is back', async () => {
    const stage = await HubStage.start();
    const session = await stage.launch('To be ended');
    const { stdout } = await stage.run('down', '--agents');
    expect(stdout).toMatch(
      new RegExp(`^ended the agent of ${session.slice(0, 8)} in .*\\nended the hub \\(pid \\d+\\)\\n$`),
    );
    expect(await stage.bridges()).toEqual([]);
    await stage.startHub();
    expect((await stage.api.session(session)).state).toBe('exited');
  });

  it('[CL3690] takes a hub for ended whose parent does not bury it', async () => {
    const stage = await HubStage.start();
    await stage.killHub();
    const up = [process.execPath, SIGNALBOX, 'up', '--no-welcome', '--port', String(stage.port)];
    // What was a shell sleeps by the time that its child ends.
    const parent = spawn('bash', ['-c', '"$@" & exec sleep 600', 'bash', ...up], { env: stage.env });
    onTestFinished(() => void parent.kill('SIGKILL'));
    await once(parent.stdout.setEncoding('utf8'), 'data');
    const { stdout, code } = await stage.run('down');
    expect({ stdout, code }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ended the hub/) });
    expect(await stage.run('down')).toMatchObject({ code: 0, stdout: 'No hub runs here.\n' });
  });

  it('[CL1402] says which terminals go on, and ends them with --agents, shells and all', async () => {
    const stage = await HubStage.start();
    const session = await stage.launch('With a shell');
    const { pid } = await stage.api.startTerminal(session);
    const down = await stage.run('down');
    expect(down.stdout).toContain('1 agent and 1 terminal go on');
    expect(down.stdout).toContain(`  ${session.slice(0, 8)}, terminal 1, in ${stage.project}`);
    expect(isRunning(pid ?? 0)).toBe(true);
    const { stdout } = await stage.run('down', '--agents');
    expect(stdout).toContain(`ended ${session.slice(0, 8)}, terminal 1, in ${stage.project}\n`);
    expect(isRunning(pid ?? 0)).toBe(false);
  });

  it('[CL286] up says when it starts how its agents are ended, and when it ends which go on', async () => {
    const stage = await HubStage.start();
    await stage.killHub();
    const hub = await stage.open('up', '--no-welcome', '--port', String(stage.port));
    await hub.see('its agents go on and come back');
    const session = await stage.launch('To go on');
    await hub.press('C-c');
    await hub.see('1 agent goes on');
    await hub.see(session.slice(0, 8));
    await hub.see('exit code 0');
  });
});
