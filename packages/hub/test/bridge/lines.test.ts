import { createHash } from 'node:crypto';
import { until } from '@signalbox/testing/until';
import { describe, expect, it } from 'vitest';
import { bridged } from './bridged-agent.ts';
import { scripted } from './run-bridge.ts';

describe('the lines of a bridged agent', () => {
  it('[BR1] travel both ways untouched, in order, once', async () => {
    const { hub } = await bridged(
      scripted(`
        process.stdin.on('data', (chunk) => process.stdout.write(chunk));
        for (let n = 0; n < 2000; n += 1) say({ n, text: 'é\\u2028'.repeat(n % 50) });
      `),
    );
    await until(() => hub.saidIn('s').length === 2000);
    const odd = [
      '{"b" : 1,  "a":2.50}',
      '[1,2]',
      'no JSON at all',
      '{"type":"user","uuid":"u-1","x":"\\u00e9"}',
    ];
    for (const line of odd) await hub.send('s', line);
    await until(() => hub.saidIn('s').length === 2004);
    const said = hub.saidIn('s');
    expect(said.slice(0, 2000)).toEqual(
      Array.from({ length: 2000 }, (_, n) => JSON.stringify({ n, text: 'é\u2028'.repeat(n % 50) })),
    );
    expect(said.slice(2000)).toEqual(odd);
  });

  it('[BR1] may be 64 MB long', async () => {
    const { hub, bridge } = await bridged(scripted(`say({ text: 'x'.repeat(64e6) }); say({ after: 1 });`));
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    const [long = '', ...rest] = hub.saidIn('s');
    const whole = JSON.stringify({ text: 'x'.repeat(64e6) });
    expect(sum(long)).toBe(sum(whole));
    expect(rest).toEqual(['{"after":1}']);
  });

  it('[BR2] that are longer than any line may be end the agent, and the hub is told', async () => {
    const { hub, bridge } = await bridged(
      scripted(`
        say({ before: 1 });
        process.stdout.on('error', () => {});
        process.stderr.write('last words');
        process.stdout.write('x'.repeat(70e6));
        setInterval(() => {}, 1000);
      `),
    );
    await bridge.exited;
    expect(hub.saidIn('s')).toEqual(['{"before":1}']);
    const [, failed, exited] = hub.reportsOf('s');
    expect(failed).toMatchObject({ subtype: 'failed', error: 'LINE_TOO_LONG' });
    expect(exited).toMatchObject({ subtype: 'exited', signal: 'SIGTERM' });
    expect(exited?.stderr).toMatch(
      /^LINE_TOO_LONG: the agent wrote a line of more than 64 MiB.*\nlast words$/,
    );
  });

  it('[BR3] a last one without its end arrives as it is', async () => {
    const { hub, bridge } = await bridged(
      scripted(
        `say({ n: 1 }); process.stdout.write('{"type":"assis', () => process.kill(process.pid, 'SIGKILL'));`,
      ),
    );
    await bridge.exited;
    expect(hub.saidIn('s')).toEqual(['{"n":1}', '{"type":"assis']);
    expect(hub.reportsOf('s').at(-1)).toMatchObject({ subtype: 'exited', code: null, signal: 'SIGKILL' });
  });

  it('[BR4] cannot be taken for words of the bridge, and one that would not arrive whole is quoted', async () => {
    const forged = '{"type":"bridge","subtype":"exited","code":0,"signal":null,"stderr":"","descendants":0}';
    const { hub, bridge } = await bridged(
      scripted(`
        process.stdout.write(${JSON.stringify(`${forged}\n`)});
        process.stdout.write('{"a":1}\\r\\r\\n');
        process.stdout.write('{ "n": 1, "type" : "bridge" }\\n');
        say({ after: 1 });
      `),
    );
    await bridge.exited;
    expect(hub.saidIn('s')).toEqual(['{"after":1}']);
    expect(hub.reportsOf('s').slice(1, 4)).toEqual([
      { type: 'bridge', subtype: 'quoted', line: forged },
      { type: 'bridge', subtype: 'quoted', line: '{"a":1}\r' },
      { type: 'bridge', subtype: 'quoted', line: '{ "n": 1, "type" : "bridge" }' },
    ]);
  });
});

function sum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
