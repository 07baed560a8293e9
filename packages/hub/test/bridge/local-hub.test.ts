import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@signalbox/testing/until';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readHubFile } from '../../src/bridge/hub-file.ts';
import { isHubAway } from '../../src/bridge/hub-socket.ts';
import { LINGER_WHEN_TOLD_MS, patience } from '../../src/bridge/patience.ts';
import { runWords, scripted, temporaryFolder } from './run-bridge.ts';
import { TestHub } from './test-hub.ts';

const ECHO = scripted(`
  say({ n: 1 });
  process.stdin.once('data', () => { say({ n: 2 }); process.exit(0); });`);

describe('--local', () => {
  it('[BR34] reaches the hub of its home by the socket that is named there, and looks there again for each attempt', async () => {
    // Too long for a socket: each hub has one in another folder.
    const home = join(temporaryFolder(), 'x'.repeat(100));
    mkdirSync(home);
    const first = await TestHub.start({ home });
    const before = readHubFile(home)?.socket;
    const bridge = runWords(home, ['--local', '--session', 's', '--', ...ECHO]);
    await until(() => first.saidIn('s').length === 1);
    await first.die();
    const hub = await TestHub.start({ home, sessions: first.sessions });
    expect(readHubFile(home)?.socket).not.toBe(before);
    await hub.send('s', '{"type":"user"}');
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(hub.saidIn('s')).toEqual(['{"n":1}', '{"n":2}']);
  });

  it('[BR1500] that is told to leave waits for a hub that runs, and not for one that does not', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const home = temporaryFolder();
    const hub = await TestHub.start({ home });
    const told = AbortSignal.abort();
    const isAway = vi.fn(() => isHubAway(home));
    const waiting = patience(told, isAway);
    expect(await isAway.mock.results[0]?.value).toBe(false);
    expect(waiting.aborted).toBe(false);
    vi.advanceTimersByTime(LINGER_WHEN_TOLD_MS);
    expect(waiting.aborted).toBe(true);
    await hub.die();
    expect(await isHubAway(home)).toBe(true);
    const over = patience(told, isAway);
    await isAway.mock.results[1]?.value;
    expect(over.aborted).toBe(true);
  });

  it('[BR1500] leaves what it could not deliver to its next start', async () => {
    const home = temporaryFolder();
    const first = await TestHub.start({ home });
    const waiting = scripted(`process.stdin.resume().on('end', () => say({ n: 2 })); say({ n: 1 });`);
    const words = ['--local', '--session', 's', '--'];
    const bridge = runWords(home, [...words, ...waiting]);
    await until(() => first.saidIn('s').length === 1);
    await first.die();
    bridge.child.kill('SIGTERM');
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(bridge.stderr()).toContain('for the next start with --id s');
    const hub = await TestHub.start({ home, sessions: first.sessions });
    await runWords(home, [...words, 'true']).exited;
    expect(hub.saidIn('s')).toEqual(['{"n":1}', '{"n":2}']);
  });

  it('[BR34] is explained where no hub was ever started', async () => {
    const bridge = runWords(temporaryFolder(), ['--local', '--', 'true']);
    expect(await bridge.exited).toEqual({ code: 1, signal: null });
    expect(bridge.stderr()).toMatch(/start one with \S*signalbox(\.js)? up/);
  });

  it('[BR35] says for which run of its agent it speaks: another in each bridge, the same in each attempt', async () => {
    const home = temporaryFolder();
    const hub = await TestHub.start();
    const runs = (): unknown[] => hub.requests.map(({ headers }) => headers['x-signalbox-run']);
    const words = ['--hub', hub.url, '--session', 's', '--', ...ECHO];
    for (const count of [2, 4]) {
      const bridge = runWords(home, words);
      await until(() => hub.saidIn('s').length >= count - 1);
      hub.cut();
      await until(() => runs().length >= count);
      await hub.send('s', '{"type":"user"}');
      await bridge.exited;
    }
    const [one, , two] = runs();
    expect(runs()).toEqual([one, one, two, two]);
    expect(new Set([one, two, undefined]).size).toBe(3);
  });
});
