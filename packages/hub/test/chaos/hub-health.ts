import { setTimeout as pause } from 'node:timers/promises';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { peakMb } from '@signalbox/testing/peak-memory';
import { expect } from 'vitest';

const { SIGNALBOX_SEED, SIGNALBOX_MONSTERS } = process.env;

/** Whether this is `npm run chaos`, which tries more and prints what it measures. */
const IS_LONG_FORM = SIGNALBOX_MONSTERS !== undefined;

/** How many seeds the long form tries, from the one that it was given. */
const LONG_FORM_SEEDS = 8;

/** The seeds of a test that has variants. */
export function seeds(): number[] {
  if (!IS_LONG_FORM) return [1];
  return Array.from({ length: LONG_FORM_SEEDS }, (_, n) => Number(SIGNALBOX_SEED ?? 1) + n);
}

/** How many send at once, where one alone would prove nothing. */
export const SENDERS = IS_LONG_FORM ? 4 : 2;

/** Between two questions of somebody who asks again and again: an answer is waited for, and no core is kept busy with asking. */
export const ASK_PAUSE_MS = 10;

/** How much memory the hub may ever have had. */
const MAX_PEAK_MB = 512;

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
    await pause(ASK_PAUSE_MS);
  }
  reportWaits(name, { pid }, waits);
  return done;
}

/** How long others waited, and how much memory the hub has had; for people to read. */
export function reportWaits(name: string, { pid }: { pid: number }, waits: readonly number[]): void {
  const ms = `${median(waits).toFixed(1)} ms at the median, ${Math.max(...waits).toFixed(1)} ms at most`;
  report(`${name}: others were answered in ${ms}; ${Math.round(peakMb(pid))} MB at most`);
}

/** In the long form: end the hub as a service manager does and start it again, which must work whatever it was sent. */
export async function restart(name: string, hub: HubProcess): Promise<void> {
  if (!IS_LONG_FORM) return;
  const { port } = new URL(hub.url);
  hub.tell('SIGTERM');
  expect(await hub.exited).toEqual({ code: 0, signal: null });
  const again = await HubProcess.start(hub.home, Number(port));
  expect(again.url).toBe(hub.url);
  report(
    `${name}: a restart took ${Math.round(again.startMs)} ms, the first start ${Math.round(hub.startMs)} ms`,
  );
}

function report(text: string): void {
  if (IS_LONG_FORM) process.stdout.write(`${text}\n`);
}
