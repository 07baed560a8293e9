import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** How much memory the hub may ever have had. */
const MAX_PEAK_MB = 512;

/** What a process has had at most since it started. */
export function peakMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

export function expectSmall({ pid }: { pid: number }): void {
  if (process.platform === 'linux') expect(peakMb(pid)).toBeLessThan(MAX_PEAK_MB);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/**
 * Asks again and again as somebody else until the work is done. The long form of the suite prints how long the answers took: a
 * loaded machine must not fail a test.
 */
export async function askDuring<T>(
  name: string,
  { pid }: { pid: number },
  ask: () => Promise<unknown>,
  work: Promise<T>,
): Promise<T> {
  const waits: number[] = [];
  const progress = { isDone: false };
  const done = work.finally(() => {
    progress.isDone = true;
  });
  done.catch(() => {});
  while (!progress.isDone || waits.length === 0) {
    const start = performance.now();
    await ask();
    waits.push(performance.now() - start);
  }
  if (process.env.SIGNALBOX_MONSTERS !== undefined)
    process.stdout.write(
      `${name}: others were answered in ${median(waits).toFixed(1)} ms at the median, ${Math.max(...waits).toFixed(1)} ms at most; ${Math.round(peakMb(pid))} MB at most\n`,
    );
  return done;
}
