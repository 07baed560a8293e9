import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FreeProcessors } from '../../src/terminal-host/free-processors.ts';
import {
  CALM_TICKS,
  CONTENDED_BELOW,
  GIVING_WAY_BYTES,
  nextPace,
  OutputPace,
  type Pace,
  type PaceTick,
} from '../../src/terminal-host/output-pace.ts';
import { Shell } from '../../src/terminal-host/shell.ts';

/** What one piece of output may be, and one that had been read already when it was to be stopped. */
const PIECES_BYTES = 2 * 64 * 1024;

/** The states that a terminal goes through in these ticks. */
function statesOf(ticks: readonly PaceTick[]): Pace['state'][] {
  let pace: Pace = { state: 'quiet' };
  return ticks.map((tick) => (pace = nextPace(pace, tick)).state);
}

describe('the pace of a terminal', () => {
  const contended: PaceTick = { isFlood: true, free: 0 };
  const calm: PaceTick = { isFlood: true, free: 1 };
  const slow: PaceTick = { isFlood: false, free: 0 };

  it('[TM3740] a flood gives way on a contended machine, and not before a whole tick of it was looked at', () => {
    expect(statesOf([contended, contended, contended])).toEqual(['flood', 'giving way', 'giving way']);
    expect(statesOf([contended, slow, contended])).toEqual(['flood', 'quiet', 'flood']);
  });

  it('[TM3740] less than a flood is never slowed, nor is a flood where there are processors for all, or nobody knows', () => {
    expect(statesOf([slow, slow, slow])).toEqual(['quiet', 'quiet', 'quiet']);
    expect(statesOf([calm, calm, calm])).toEqual(['flood', 'flood', 'flood']);
    expect(statesOf([calm, { isFlood: true, free: undefined }])).toEqual(['flood', 'flood']);
  });

  it('[TM3740] it prints freely again after some calm ticks in a row, and with the end of the flood at once', () => {
    const wait = Array.from({ length: CALM_TICKS - 1 }, () => calm);
    const begun = [contended, contended];
    expect(statesOf([...begun, ...wait]).at(-1)).toBe('giving way');
    expect(statesOf([...begun, ...wait, calm]).at(-1)).toBe('flood');
    expect(statesOf([...begun, ...wait, contended, calm]).at(-1)).toBe('giving way');
    expect(statesOf([...begun, slow]).at(-1)).toBe('quiet');
    // What is free while it gives way has to be enough for all of it.
    const some: PaceTick = { isFlood: true, free: 0.5 };
    expect(statesOf([calm, some])).toEqual(['flood', 'flood']);
    expect(statesOf([...begun, ...wait, some, some]).at(-1)).toBe('giving way');
  });

  it('[TM3741] what a program prints while it gives way is all there, in its order, and no more of it is read in a tick than may be', async () => {
    let free = 0;
    const pieces: Uint8Array[] = [];
    const ticks: { pace: Pace['state']; bytes: number }[] = [];
    let bytes = 0;
    const shell = await Shell.start({
      command: ['seq', '1', '999999999'],
      cwd: '/',
      env: { PATH: process.env.PATH },
      cols: 80,
      rows: 24,
      onOutput: (piece) => {
        pieces.push(piece);
        bytes += piece.length;
      },
      // Asked at the end of each tick.
      free: () => {
        ticks.push({ pace: shell.pace, bytes });
        bytes = 0;
        return free;
      },
    });
    onTestFinished(() => shell.hangUp());
    // On a busy machine it may print less for a tick, and then freely for one.
    const slowTicks = () => ticks.filter(({ pace }) => pace === 'giving way');
    await until(() => slowTicks().length > 3);
    for (const tick of slowTicks()) expect(tick.bytes).toBeLessThan(GIVING_WAY_BYTES + PIECES_BYTES);
    free = 1;
    await until(() => shell.pace === 'flood');
    free = 0;
    await until(() => shell.pace === 'giving way');
    shell.hangUp();
    await shell.exited;
    const text = Buffer.concat(pieces).toString('latin1');
    const lines = text.split('\r\n').slice(0, -1);
    expect(lines.length).toBeGreaterThan(100_000);
    expect(lines.findIndex((line, at) => line !== String(at + 1))).toBe(-1);
  });

  it('[TM3742] whoever types does not wait for the next tick', async () => {
    const done: string[] = [];
    const pace = new OutputPace({
      stop: () => done.push('stop'),
      go: () => done.push('go'),
      free: () => 0,
    });
    while (done.length === 0) {
      pace.read(GIVING_WAY_BYTES);
      await turn();
    }
    pace.typed();
    expect(done).toEqual(['stop', 'go']);
    // It was not stopped.
    pace.typed();
    expect(done).toEqual(['stop', 'go']);
  });

  it('[TM3743] how contended the machine is shows in how many of its processors have nothing to do', async () => {
    const processors = new FreeProcessors();
    if (process.platform !== 'linux') return expect(processors.since()).toBeUndefined();
    const others = Array.from({ length: availableParallelism() + 1 }, () =>
      spawn('sh', ['-c', 'while :; do :; done']),
    );
    onTestFinished(() => others.forEach((other) => void other.kill('SIGKILL')));
    await until(() => {
      const free = processors.since();
      return free !== undefined && free < CONTENDED_BELOW;
    });
  });
});
