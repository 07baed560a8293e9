import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '@signalbox/testing/is-running';
import { until } from '@signalbox/testing/until';
import { describe, expect, it } from 'vitest';
import { journalFiles, journalOf } from './journal-files.ts';
import { numbered, runBridge, scripted, temporaryFolder } from './run-bridge.ts';
import { TestHub } from './test-hub.ts';

/** Counts, and does not care about its stdin or a broken stdout; beside it two others that care about nothing. */
const STUBBORN = scripted(`
  const { spawn } = require('child_process');
  const idle = ['-e', 'process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {}); setInterval(() => {}, 1000)'];
  const near = spawn(process.execPath, idle, { stdio: 'ignore' });
  const far = spawn(process.execPath, idle, { stdio: 'ignore', detached: true });
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGPIPE']) process.on(signal, () => {});
  process.stdout.on('error', () => {});
  say({ pids: [process.pid, near.pid, far.pid] });
  setInterval(() => say({ tick: 1 }), 50);
`);

describe('kill -9 of a bridge', () => {
  it('[BR18] ends its agent and all that this started', async () => {
    const hub = await TestHub.start();
    const home = temporaryFolder();
    const bridge = runBridge({ hub: hub.url, home, command: STUBBORN });
    await until(() => hub.saidIn('s').length > 1);
    const { pids } = JSON.parse(hub.saidIn('s')[0] ?? '');
    bridge.child.kill('SIGKILL');
    await until(() => !pids.some(isRunning));
  });

  it('[BR18] also when its watchdog was killed first, because another one is started', async () => {
    const hub = await TestHub.start();
    const home = temporaryFolder();
    const bridge = runBridge({ hub: hub.url, home, command: STUBBORN });
    await until(() => hub.saidIn('s').length > 1);
    const { pids } = JSON.parse(hub.saidIn('s')[0] ?? '');
    const before = watchdogOf(home);
    process.kill(before, 'SIGKILL');
    await until(() => watchdogOf(home) > 0 && watchdogOf(home) !== before);
    bridge.child.kill('SIGKILL');
    await until(() => !pids.some(isRunning));
  });

  it('[BR19] the next of its id ends what the killed one and its watchdog left', async () => {
    const hub = await TestHub.start();
    const home = temporaryFolder();
    const bridge = runBridge({ hub: hub.url, home, command: STUBBORN });
    await until(() => hub.saidIn('s').length > 1);
    const { pids } = JSON.parse(hub.saidIn('s')[0] ?? '');
    bridge.child.kill('SIGSTOP');
    process.kill(watchdogOf(home), 'SIGKILL');
    bridge.child.kill('SIGKILL');
    await bridge.exited;
    await until(() => watchdogOf(home) === 0);
    expect(pids.map(isRunning)).toEqual([true, true, true]);
    await runBridge({ hub: hub.url, home, command: scripted('say({ next: 1 })') }).exited;
    expect(pids.map(isRunning)).toEqual([false, false, false]);
  });

  it('[BR20] loses nothing that it had read: the next of its id delivers it first, and once', async () => {
    const first = await TestHub.start();
    const home = temporaryFolder();
    const killed = runBridge({
      hub: first.url,
      home,
      command: scripted(`
        say({ n: 1 });
        process.stdin.once('data', () => { for (let n = 2; n <= 1000; n += 1) say({ n }); process.stderr.write('said'); });
      `),
    });
    await until(() => first.saidIn('s').length === 1);
    await first.send('s', '{"type":"user"}');
    await until(() => killed.stderr().includes('said'));
    await first.die();
    await until(() => journalOf(home).includes('{"n":1000}\n'));
    killed.child.kill('SIGKILL');
    await killed.exited;

    const hub = await first.restart();
    const next = runBridge({ hub: hub.url, home, command: scripted('say({ next: 1 })') });
    expect(await next.exited).toEqual({ code: 0, signal: null });
    expect(hub.saidIn('s')).toEqual([...numbered(1000), '{"next":1}']);
    expect(hub.reportsOf('s').map(({ subtype }) => subtype)).toEqual(['started', 'started', 'exited']);
    expect(hub.sessions.get('s')?.gaps).toEqual([]);
    expect(existsSync(join(home, 'bridges', 's'))).toBe(false);
  });

  it('[BR20] while the hub is away, again and again, keeps all of them in order', async () => {
    const first = await TestHub.start();
    await first.die();
    const home = temporaryFolder();
    for (const run of [1, 2, 3]) {
      const killed = runBridge({
        hub: first.url,
        home,
        command: scripted(`say({ run: ${run} }); setInterval(() => {}, 1000);`),
      });
      await until(() => journalOf(home).includes(`{"run":${run}}\n`));
      killed.child.kill('SIGKILL');
      await killed.exited;
    }
    const hub = await first.restart();
    await runBridge({ hub: hub.url, home, command: scripted('say({ run: 4 })') }).exited;
    expect(hub.saidIn('s')).toEqual([1, 2, 3, 4].map((run) => JSON.stringify({ run })));
  });

  it('[BR20] keeps a line that the hub has not acknowledged, also when a file of the journal is full', async () => {
    let isStuck = false;
    const first = await TestHub.start({
      beforeKeeping: () => (isStuck ? new Promise(() => {}) : Promise.resolve()),
    });
    const home = temporaryFolder();
    const code = `say({ n: 1 }); process.stdin.once('data', () => say({ n: 2, text: 'x'.repeat(5e6) }));`;
    const killed = runBridge({ hub: first.url, home, command: scripted(code) });
    await until(() => first.saidIn('s').length === 1);
    isStuck = true;
    await first.send('s', '{"type":"user"}');
    await until(() => journalOf(home).endsWith('x"}\n'));
    killed.child.kill('SIGKILL');
    await killed.exited;
    await first.die();
    const hub = await first.restart({ beforeKeeping: () => Promise.resolve() });
    await runBridge({ hub: hub.url, home, command: scripted('say({ n: 3 })') }).exited;
    expect(hub.saidIn('s').map((line) => JSON.parse(line).n)).toEqual([1, 2, 3]);
  });

  it('[BR21] in the middle of a write leaves a torn line, which is dropped: it was never sent', async () => {
    const first = await TestHub.start();
    await first.die();
    const home = temporaryFolder();
    const killed = runBridge({
      hub: first.url,
      home,
      command: scripted('say({ n: 1 }); setInterval(() => {}, 1000);'),
    });
    await until(() => journalOf(home).includes('{"n":1}\n'));
    killed.child.kill('SIGKILL');
    await killed.exited;
    const [file = ''] = journalFiles(home);
    appendFileSync(file, '{"n":2,"text":"torn');
    const hub = await first.restart();
    await runBridge({ hub: hub.url, home, command: scripted('say({ next: 1 })') }).exited;
    expect(hub.saidIn('s')).toEqual(['{"n":1}', '{"next":1}']);
  });
});

/** The shell that waits for the end of the bridge: the process that names the mark on its command line. */
function watchdogOf(home: string): number {
  const { mark } = JSON.parse(readFileSync(join(home, 'bridges', 's', 'meta.json'), 'utf8'));
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.find((pid) => isRunning(pid) && commandLineOf(pid).includes(`--end-tree\0${mark}`)) ?? 0;
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
