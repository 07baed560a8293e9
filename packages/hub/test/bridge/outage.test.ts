import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@signalbox/testing/until';
import { describe, expect, it } from 'vitest';
import { Bridge } from '../../src/bridge/bridge.ts';
import { bridged } from './bridged-agent.ts';
import { journalOf } from './journal-files.ts';
import { numbered, runBridge, SIGNALBOX, scripted, temporaryFolder } from './run-bridge.ts';
import { TestHub } from './test-hub.ts';

/** Says a number every other millisecond or so, up to this one, then leaves. */
function counting(last: number): string[] {
  return scripted(`
    let n = 0;
    const timer = setInterval(() => {
      for (let k = 0; k < 5; k += 1) say({ n: ++n });
      if (n >= ${last}) clearInterval(timer);
    }, 2);
  `);
}

/** 48 MB in lines of 100 kB, and a word on stderr when somebody has read them. */
const BULKY = `
  (async () => {
    for (let n = 1; n <= 480; n += 1) {
      const line = JSON.stringify({ n, text: 'x'.repeat(100_000) }) + '\\n';
      await new Promise((written) => process.stdout.write(line, written));
    }
    process.stderr.write('all written');
  })();
`;

describe('a hub that is away', () => {
  it('[BR14] at the start gets everything when it comes', async () => {
    const first = await TestHub.start();
    await first.die();
    const home = temporaryFolder();
    const bridge = runBridge({ hub: first.url, home, command: counting(500) });
    await until(() => journalOf(home).includes('{"n":500}\n'));
    const hub = await first.restart();
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(hub.saidIn('s')).toEqual(numbered(500));
    expect(hub.reportsOf('s').map(({ subtype }) => subtype)).toEqual(['started', 'exited']);
  });

  it('[BR14] in between, or whose connections are cut, gets every line once and in order', async () => {
    let hub = await TestHub.start();
    const home = temporaryFolder();
    const bridge = runBridge({ hub: hub.url, home, command: counting(3000) });
    for (const mark of [200, 700, 1200]) {
      await until(() => hub.saidIn('s').length > mark);
      await hub.die();
      const missed = Math.min(3000, hub.saidIn('s').length + 100);
      await until(() => journalOf(home).includes(`{"n":${missed}}\n`));
      hub = await hub.restart();
      await until(() => hub.saidIn('s').length > mark + 250);
      hub.cut();
    }
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(hub.saidIn('s')).toEqual(numbered(3000));
    expect(hub.sessions.get('s')?.gaps).toEqual([]);
  });

  it('[BR14] or whose connections are cut reaches the agent with every line once and in order', async () => {
    const { hub, bridge } = await bridged(
      scripted(`process.stdin.on('data', (chunk) => process.stdout.write(chunk)); say({ n: 0 });`),
    );
    await until(() => hub.saidIn('s').length === 1);
    for (const [at, line] of numbered(600).entries()) {
      await hub.send('s', line);
      if (at % 150 === 100) hub.cut();
      if (at % 20 === 0) await until(() => hub.saidIn('s').length > at - 20);
    }
    await until(() => hub.saidIn('s').length === 601);
    await hub.order('s', { type: 'bridge', subtype: 'end_input' });
    await bridge.exited;
    expect(hub.saidIn('s').slice(1)).toEqual(numbered(600));
  });

  it('[BR15] when the agent ends is told of it later', async () => {
    const first = await TestHub.start();
    const home = temporaryFolder();
    const bridge = runBridge({
      hub: first.url,
      home,
      command: scripted(
        `say({ n: 1 }); process.stdin.once('data', () => { process.stderr.write('oh no'); process.exit(9); });`,
      ),
    });
    await until(() => first.saidIn('s').length === 1);
    await first.send('s', '{"type":"user"}');
    await until(() => bridge.stderr().includes('oh no'));
    await first.die();
    await until(() => journalOf(home).includes('"exited"'));
    const hub = await first.restart();
    expect(await bridge.exited).toEqual({ code: 9, signal: null });
    expect(hub.reportsOf('s').at(-1)).toMatchObject({ subtype: 'exited', code: 9, stderr: 'oh no' });
  });

  it('[BR14] gets what was too much for the memory of the bridge, too', async () => {
    const first = await TestHub.start();
    await first.die();
    const home = temporaryFolder();
    const bridge = runBridge({ hub: first.url, home, command: scripted(BULKY) });
    await until(() => bridge.stderr().includes('all written'));
    expect(readdirSync(join(home, 'bridges', 's', 'spill')).length).toBeGreaterThan(0);
    const hub = await first.restart();
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(hub.saidIn('s').map((line) => JSON.parse(line).n)).toEqual(
      Array.from({ length: 480 }, (_, n) => n + 1),
    );
  });
});

describe('a hub that is slow', () => {
  it('[BR16] makes the agent wait, and loses nothing', async () => {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const hub = await TestHub.start({ beforeKeeping: () => opened });
    const home = temporaryFolder();
    const bridge = runBridge({ hub: hub.url, home, command: scripted(BULKY) });
    const journal = join(home, 'bridges', 's', 'outbox');
    await until(() => existsSync(journal));
    let size = -1;
    for (let now = bytesIn(journal); now !== size; now = bytesIn(journal)) {
      size = now;
      await pause(700);
    }
    expect(size).toBeLessThan(20e6);
    expect(bridge.stderr()).toBe('');
    open();
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(bridge.stderr()).toBe('all written');
    expect(hub.saidIn('s').map((line) => JSON.parse(line).n)).toEqual(
      Array.from({ length: 480 }, (_, n) => n + 1),
    );
  });
});

describe('a hub that cannot be reached', () => {
  it('[BR37] is why in the log: each reason once', async () => {
    const first = await TestHub.start();
    await first.die();
    const home = temporaryFolder();
    const bridge = runBridge({ hub: first.url, home, command: scripted(`process.stdin.resume();`) });
    const log = () => textOf(join(home, 'bridges', 's', 'bridge.log'));
    await until(() => log().includes('ECONNREFUSED'));
    // Several attempts later.
    await pause(2000);
    expect(log().match(/Cannot connect to ws:.*ECONNREFUSED/g)).toHaveLength(1);
    expect(bridge.stderr()).toContain('ECONNREFUSED');
    const hub = await first.restart();
    await until(() => hub.reportsOf('s').length === 1);
    await hub.die();
    await until(() => log().match(/ECONNREFUSED/g)?.length === 2);
  });
});

describe('a hub that refuses', () => {
  it('[BR36] for too long ends the agent, whose last words are kept, and the bridge', async () => {
    const hub = await TestHub.start({ token: 'right' });
    const home = temporaryFolder();
    const bridge = new Bridge({
      id: 's',
      session: 's',
      hub: hub.url,
      token: () => 'wrong',
      command: scripted(`say({ n: 1 }); process.stdin.on('end', () => say({ last: 'words' })).resume();`),
      cwd: home,
      home,
      program: [process.execPath, SIGNALBOX],
      signal: new AbortController().signal,
      refusedPatienceMs: 500,
    });
    expect(await bridge.run()).toMatchObject({ exit: { code: 0 }, isDelivered: false });
    expect(journalOf(home)).toContain('{"last":"words"}');
    expect(textOf(join(home, 'bridges', 's', 'bridge.log'))).toContain('refused this bridge for too long');
  });

  it('[BR17] ends no agent: it is asked again, with the token that the file has then', async () => {
    const hub = await TestHub.start({ token: 'right' });
    const home = temporaryFolder();
    const file = join(home, 'token-of-the-hub');
    writeFileSync(file, 'wrong\n');
    const bridge = runBridge({ hub: hub.url, home, command: counting(300), flags: ['--token-file', file] });
    await until(() => hub.requests.length > 0);
    writeFileSync(file, 'right\n');
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(bridge.stderr()).toContain('the server answered 401');
    expect(hub.saidIn('s')).toEqual(numbered(300));
  });

  it('[BR17] or closes for good gets the rest when it takes the bridge back', async () => {
    const { hub, bridge } = await bridged(counting(1000));
    await until(() => hub.saidIn('s').length > 100);
    await hub.dismiss('s');
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(hub.saidIn('s')).toEqual(numbered(1000));
    expect(hub.sessions.get('s')?.gaps).toEqual([]);
  });
});

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function bytesIn(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
