import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHubFile } from '../../src/bridge/hub-file.ts';
import { runWords, scripted, temporaryFolder, until } from './run-bridge.ts';
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
