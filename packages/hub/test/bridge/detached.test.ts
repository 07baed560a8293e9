import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRunning } from '@signalbox/testing/is-running';
import { until } from '@signalbox/testing/until';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findBridges } from '../../src/bridge/find-bridges.ts';
import { launchBridge } from '../../src/bridge/launch-bridge.ts';
import { bareEnv, bridgeWords, runBridge, SIGNALBOX, scripted, temporaryFolder } from './run-bridge.ts';
import { TestHub } from './test-hub.ts';

const run = promisify(execFile);
const ECHO = scripted(
  `process.stdin.on('data', (chunk) => process.stdout.write(chunk)); process.stderr.write('my stderr\\n'); say({ ready: 1 });`,
);

describe('a detached bridge', () => {
  it('[BR23] outlives its terminal and its starter, and writes to its own log', async () => {
    const hub = await TestHub.start();
    const home = temporaryFolder();
    const words = bridgeWords({ hub: hub.url, command: ECHO, flags: ['--detach'] });
    // The starter is a process group that is killed as a whole, as a terminal that closes does.
    const terminal = spawn('sh', ['-c', '"$@"; sleep 600', 'sh', process.execPath, ...words], {
      cwd: home,
      env: bareEnv(home),
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(terminal.stdout, 'data');
    const { pid, log, session } = JSON.parse(String(said));
    killAfterwards(pid);
    process.kill(-(terminal.pid ?? 0), 'SIGHUP');
    process.kill(-(terminal.pid ?? 0), 'SIGKILL');
    await once(terminal, 'exit');
    await until(() => hub.saidIn(session).length === 1);
    await hub.send(session, '{"still":"there"}');
    await until(() => hub.saidIn(session).includes('{"still":"there"}'));
    await until(() => readFileSync(log, 'utf8').includes('my stderr\n'));
    await hub.order(session, { type: 'bridge', subtype: 'stop' });
    await until(() => !isRunning(pid));
    expect(hub.reportsOf(session).at(-1)).toMatchObject({ subtype: 'exited', code: 0 });
  });

  it('[BR24] that cannot start says why: its own reason, or that of its agent', async () => {
    const hub = await TestHub.start();
    const home = temporaryFolder();
    const start = (command: string[], flags: string[] = []) =>
      run(process.execPath, bridgeWords({ hub: hub.url, command, flags: ['--detach', ...flags] }), {
        env: bareEnv(home),
      });
    await expect(start(['no-such-agent'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Cannot start no-such-agent'),
    });
    const { stdout } = await start(ECHO, ['--id', 'one']);
    killAfterwards(JSON.parse(stdout).pid);
    await expect(start(ECHO, ['--id', 'one'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/did not start: [\s\S]*The bridge one runs already, as process \d+/),
    });
  });
});

describe('a hub that looks for its bridges', () => {
  it('[BR24] that hangs before it has begun is ended, with what it said', async () => {
    const home = temporaryFolder();
    const program = ['sh', '-c', 'echo "pid $$" >&2; exec sleep 600', 'sh'];
    const words = { id: 's', session: 's', hub: 'ws://127.0.0.1:1', command: ECHO, cwd: home, home };
    // Beside other work a shell takes seconds to say who it is.
    const launched = launchBridge({ ...words, program, patienceMs: 8000 });
    const error = await launched.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'BRIDGE_NOT_STARTED', message: expect.stringMatching(/pid \d+/) });
    const [, pid] = /pid (\d+)/.exec(String(error)) ?? [];
    await until(() => !isRunning(Number(pid)));
  });

  it('[BR25] finds those that run and those that were killed, and launches others', async () => {
    const hub = await TestHub.start();
    const home = temporaryFolder();
    expect(await findBridges(home)).toEqual([]);
    const { meta } = await launchBridge({
      id: 'one',
      session: 'first',
      hub: hub.url,
      command: ECHO,
      cwd: home,
      env: { GREETING: 'hello' },
      home,
      program: [process.execPath, SIGNALBOX],
    });
    killAfterwards(meta.pid);
    const killed = runBridge({ hub: hub.url, session: 'second', home, command: ECHO });
    await until(() => hub.saidIn('first').length === 1 && hub.saidIn('second').length === 1);
    killed.child.kill('SIGKILL');
    await killed.exited;
    const found = await findBridges(home);
    expect(found.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
      expect.objectContaining({
        id: 'one',
        session: 'first',
        hub: hub.url,
        pid: meta.pid,
        state: 'running',
        cwd: home,
      }),
      expect.objectContaining({
        id: 'second',
        session: 'second',
        pid: killed.pid,
        state: 'left',
        hasLines: true,
      }),
    ]);
  });
});

describe('two bridges of one id', () => {
  it('[BR26] the second is refused while the first runs', async () => {
    const hub = await TestHub.start();
    const home = temporaryFolder();
    const first = runBridge({ hub: hub.url, home, command: ECHO });
    await until(() => hub.saidIn('s').length === 1);
    const second = runBridge({ hub: hub.url, home, command: ECHO });
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.stderr()).toContain(`The bridge s runs already, as process ${first.pid}`);
    expect(isRunning(first.pid)).toBe(true);
    expect(existsSync(join(home, 'bridges', 's', 'meta.json'))).toBe(true);
  });

  it('[BR26] of many that start at once, one runs', async () => {
    const hub = await TestHub.start();
    const home = temporaryFolder();
    const all = Array.from({ length: 6 }, () => runBridge({ hub: hub.url, home, command: ECHO }));
    let refused = 0;
    for (const bridge of all) void bridge.exited.then(() => (refused += 1));
    await until(() => refused === all.length - 1 && hub.saidIn('s').length === 1);
    const survivors = all.filter(({ pid }) => isRunning(pid));
    expect(survivors).toHaveLength(1);
    expect(hub.reportsOf('s')).toEqual([
      expect.objectContaining({ subtype: 'started', pid: survivors[0]?.pid }),
    ]);
  });
});

/** Its watchdog sees to its agent. */
function killAfterwards(pid: number): void {
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
}
