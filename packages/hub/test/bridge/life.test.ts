import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRunning } from '@signalbox/testing/is-running';
import { until } from '@signalbox/testing/until';
import { describe, expect, it } from 'vitest';
import { bridged } from './bridged-agent.ts';
import { runBridge, scripted, temporaryFolder } from './run-bridge.ts';
import type { TestHub } from './test-hub.ts';

/** Starts a child in its group and one in a session of its own, says who they are, and stays. */
const WITH_GRANDCHILDREN = `
  const { spawn } = require('child_process');
  const idle = ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'];
  const near = spawn(process.execPath, idle, { stdio: 'ignore' });
  const far = spawn(process.execPath, idle, { stdio: 'ignore', detached: true });
  far.unref();
  say({ pids: [process.pid, near.pid, far.pid] });
`;

describe('the start of a bridged agent', () => {
  it('[BR5] is the first thing that the hub hears: who runs what, where', async () => {
    const { hub, home, bridge } = await bridged(['sh', '-c', 'echo "$$"', 'x', '--model', 'm']);
    await bridge.exited;
    const [started] = hub.reportsOf('s');
    expect(hub.linesOf('s')[0]).toBe(JSON.stringify(started));
    expect(started).toEqual({
      type: 'bridge',
      subtype: 'started',
      bridge: 's',
      pid: bridge.pid,
      agent_pid: Number(hub.saidIn('s')[0]),
      command: ['sh', '-c', '…', 'x', '--model', 'm'],
      cwd: home,
      host: hostname(),
    });
  });

  it('[BR6] that fails is reported with its reason, here and to the hub', async () => {
    const { hub, bridge } = await bridged(['no-such-agent']);
    expect(await bridge.exited).toEqual({ code: 1, signal: null });
    expect(bridge.stderr()).toContain('Cannot start no-such-agent');
    expect(hub.reportsOf('s')).toEqual([
      expect.objectContaining({ subtype: 'failed', error: 'CHILD_NOT_STARTED' }),
    ]);
  });
});

describe('the end of a bridged agent', () => {
  it('[BR7] is reported last, with exit code and last stderr lines, and leaves no file', async () => {
    const code = `
      say({ n: 1 });
      for (let n = 0; n < 1000; n += 1) process.stderr.write('stderr line ' + n + '\\n');
      process.exitCode = 7;
    `;
    const { hub, home, bridge } = await bridged(scripted(code));
    expect(await bridge.exited).toEqual({ code: 7, signal: null });
    const exited = JSON.parse(hub.linesOf('s').at(-1) ?? '');
    expect(exited).toMatchObject({ subtype: 'exited', code: 7, signal: null, descendants: 0 });
    expect(exited.stderr).toMatch(/^stderr line \d+\n/);
    expect(exited.stderr).toMatch(/stderr line 999\n$/);
    expect(bridge.stderr()).toContain('stderr line 0\n');
    expect(readdirSync(`${home}/bridges`)).toEqual([]);
  });

  it('[BR7] names the signal', async () => {
    const { hub, bridge } = await bridged(['sh', '-c', 'kill -USR1 $$']);
    expect(await bridge.exited).toEqual({ code: 128 + 10, signal: null });
    expect(hub.reportsOf('s').at(-1)).toMatchObject({ subtype: 'exited', code: null, signal: 'SIGUSR1' });
  });

  it('[BR8] takes along what it started and left behind, and says how many that were', async () => {
    const { hub, bridge } = await bridged(
      scripted(`${WITH_GRANDCHILDREN} setTimeout(() => process.exit(0), 300);`),
    );
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(pidsIn(hub).map(isRunning)).toEqual([false, false, false]);
    expect(hub.reportsOf('s').at(-1)).toMatchObject({ subtype: 'exited', code: 0, descendants: 1 });
  });

  it.runIf(process.platform === 'linux').each(['leaves', 'is told to stop'])(
    '[BR320] takes along a child of its own session and without its environment, when it %s',
    async (end) => {
      const { hub, bridge } = await bridged(
        scripted(`
          const { spawn } = require('child_process');
          const idle = ['-e', 'setInterval(() => {}, 1000)'];
          const hidden = spawn(process.execPath, idle, { stdio: 'ignore', detached: true, env: {} });
          hidden.unref();
          hidden.once('spawn', () => {
            say({ pids: [process.pid, hidden.pid] });
            process.stdin.resume().once(${JSON.stringify(end === 'leaves' ? 'data' : 'end')}, () => process.exit(0));
          });`),
      );
      await until(() => hub.saidIn('s').length === 1);
      if (end === 'leaves') await hub.send('s', '{"go":1}');
      else await hub.order('s', { type: 'bridge', subtype: 'stop' });
      await bridge.exited;
      expect(pidsIn(hub).map(isRunning)).toEqual([false, false]);
    },
  );
});

describe('orders of the hub', () => {
  it('[BR9] stop ends an agent by the end of its input', async () => {
    const code = `process.stdin.on('end', () => say({ last: 'words' })).resume(); say({ ready: 1 });`;
    const { hub, bridge } = await bridged(scripted(code));
    await until(() => hub.saidIn('s').length === 1);
    await hub.order('s', { type: 'bridge', subtype: 'stop' });
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(hub.saidIn('s')).toEqual(['{"ready":1}', '{"last":"words"}']);
  });

  it('[BR9] stop ends one that ignores that and SIGTERM, with its whole tree', async () => {
    const { hub, bridge } = await bridged(
      scripted(`process.on('SIGTERM', () => say({ ignored: 1 })); ${WITH_GRANDCHILDREN}`),
    );
    await until(() => hub.saidIn('s').length === 1);
    await hub.order('s', { type: 'bridge', subtype: 'stop' });
    expect(await bridge.exited).toEqual({ code: 137, signal: null });
    expect(hub.saidIn('s')[1]).toBe('{"ignored":1}');
    expect(pidsIn(hub).map(isRunning)).toEqual([false, false, false]);
    expect(hub.reportsOf('s').at(-1)).toMatchObject({ subtype: 'exited', code: null, signal: 'SIGKILL' });
  });

  it('[BR9] stop at once does not ask', async () => {
    const { hub, bridge } = await bridged(
      scripted(`process.stdin.on('end', () => say({ asked: 1 })).resume(); ${WITH_GRANDCHILDREN}`),
    );
    await until(() => hub.saidIn('s').length === 1);
    await hub.order('s', { type: 'bridge', subtype: 'stop', mode: 'at_once' });
    await bridge.exited;
    expect(hub.saidIn('s')).toHaveLength(1);
    expect(pidsIn(hub).map(isRunning)).toEqual([false, false, false]);
  });

  it('[BR321] an answer that the hub sends again reaches the agent once; one to a new question with its id does', async () => {
    const { hub, bridge } = await bridged(
      scripted(`
        require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
          const { type, response, go } = JSON.parse(line);
          say({ heard: go ?? response.request_id + response.response.n });
          if (go) say({ type: 'control_request', request_id: 'r', request: { subtype: 'can_use_tool' } });
        });
        say({ ready: 1 });`),
    );
    const answer = (n: number): string =>
      JSON.stringify({
        type: 'control_response',
        response: { subtype: 'success', request_id: 'r', response: { n } },
      });
    const heard = (): unknown[] =>
      hub.saidIn('s').flatMap((line) => (line.includes('heard') ? [JSON.parse(line).heard] : []));
    await until(() => hub.saidIn('s').length === 1);
    for (const line of [answer(1), answer(1), answer(1), '{"go":"on"}']) await hub.send('s', line);
    await until(() => hub.saidIn('s').some((line) => line.includes('control_request')));
    for (const line of [answer(2), answer(2), '{"go":"last"}']) await hub.send('s', line);
    await until(() => heard().includes('last'));
    expect(heard()).toEqual(['r1', 'on', 'r2', 'last']);
    bridge.child.kill('SIGTERM');
    await bridge.exited;
  });

  it('[BR10] reach a bridge whose agent does not read', async () => {
    const { hub, bridge } = await bridged(scripted(`say({ ready: 1 }); setInterval(() => {}, 1000);`));
    await until(() => hub.saidIn('s').length === 1);
    for (let n = 0; n < 40; n += 1) await hub.send('s', JSON.stringify({ n, text: 'x'.repeat(200_000) }));
    await hub.order('s', { type: 'bridge', subtype: 'stop', mode: 'at_once' });
    expect(await bridge.exited).toEqual({ code: 137, signal: null });
  });

  it('[BR11] end_input lets the agent finish; what cannot be read as an order stops nothing', async () => {
    const code = `process.stdin.on('data', (chunk) => say({ got: String(chunk) })).on('end', () => say({ end: 1 })); say({ ready: 1 });`;
    const { hub, bridge } = await bridged(scripted(code));
    await until(() => hub.saidIn('s').length === 1);
    await hub.send('s', '{"type":"bridge","subtype":"dance"}');
    await hub.send('s', '{"type":"bridge"');
    await hub.send('s', '{"type":"bridge","subtype":7}');
    await hub.order('s', { type: 'bridge', subtype: 'end_input' });
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(hub.saidIn('s')).toEqual(['{"ready":1}', '{"end":1}']);
  });
});

describe('output and life', () => {
  it('[BR12] are told apart: an agent that closed its stdout lives on, and hears', async () => {
    const { hub, bridge } = await bridged(
      scripted(`
        say({ ready: 1 });
        process.stdin.on('data', (chunk) => process.stderr.write('heard ' + chunk)).on('end', () => process.exit(3));
        setTimeout(() => require('fs').closeSync(1), 300);
      `),
    );
    await until(() => hub.reportsOf('s').some(({ subtype }) => subtype === 'output_ended'));
    await hub.send('s', '{"type":"user"}');
    await until(() => bridge.stderr().includes('heard {"type":"user"}'));
    await hub.order('s', { type: 'bridge', subtype: 'inspect' });
    await until(() => hub.reportsOf('s').some(({ subtype }) => subtype === 'status'));
    expect(hub.reportsOf('s').at(-1)).toMatchObject({ agent: 'running', output: 'ended', descendants: 0 });
    await hub.order('s', { type: 'bridge', subtype: 'end_input' });
    expect(await bridge.exited).toEqual({ code: 3, signal: null });
  });

  it('[BR12] inspect counts what lives beside the agent', async () => {
    const { hub, bridge } = await bridged(scripted(`${WITH_GRANDCHILDREN} process.stderr.write('busy\\n')`));
    await until(() => hub.saidIn('s').length === 1 && bridge.stderr().includes('busy'));
    await hub.order('s', { type: 'bridge', subtype: 'inspect' });
    await until(() => hub.reportsOf('s').length === 2);
    const [, status] = hub.reportsOf('s');
    expect(status).toMatchObject({ agent: 'running', output: 'open', descendants: 2, stderr: 'busy\n' });
  });

  it('[BR8] an output that something else holds open does not keep a dead agent alive', async () => {
    // What is only just being started has no environment to be known by.
    const line = 'setsid sleep 600 & until ps -o comm= -p $! | grep -q sleep; do :; done; exit 5';
    const { hub, bridge } = await bridged(['sh', '-c', line]);
    expect(await bridge.exited).toEqual({ code: 5, signal: null });
    expect(hub.reportsOf('s').at(-1)).toMatchObject({ subtype: 'exited', code: 5, descendants: 1 });
  });
});

describe('a bridge that is told to leave', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '[BR13] by %s ends its agent in order, and reports it',
    async (signal) => {
      const code = `process.stdin.on('end', () => { say({ last: 'words' }); process.exitCode = 4; }).resume(); say({ ready: 1 });`;
      const { hub, bridge } = await bridged(scripted(code));
      await until(() => hub.saidIn('s').length === 1);
      bridge.child.kill(signal);
      expect(await bridge.exited).toEqual({ code: 4, signal: null });
      expect(hub.saidIn('s')).toEqual(['{"ready":1}', '{"last":"words"}']);
      expect(hub.reportsOf('s').at(-1)).toMatchObject({ subtype: 'exited', code: 4 });
    },
  );

  it('[BR13] does not wait long for a hub that is away, and says where its lines are', async () => {
    const home = temporaryFolder();
    const code = `process.stdin.resume(); process.stderr.write('ready'); say({ n: 1 });`;
    const bridge = runBridge({ hub: 'ws://127.0.0.1:1', home, command: scripted(code) });
    await until(() => bridge.stderr().includes('ready'));
    bridge.child.kill('SIGTERM');
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(bridge.stderr()).toContain('for the next start with --id s');
  });
});

function pidsIn(hub: TestHub): number[] {
  const { pids }: { pids: number[] } = JSON.parse(hub.saidIn('s')[0] ?? '');
  return pids;
}
