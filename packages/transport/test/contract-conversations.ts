import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { expect, it } from 'vitest';
import type { Transport } from '../src/transport.ts';
import type { ConnectedEnds, ContractScene } from './contract.ts';
import { readLines, readToEnd, sendAll } from './conversation.ts';
import { chanceLine, numberedLine } from './sample-lines.ts';

const LINES_PER_SEED = 200;

/** Set the seeds of who waits when apart from those of what is said. */
const WRITER_PACE = 0x1000;
const READER_PACE = 0x2000;

/** One seed for each run of chance; SIGNALBOX_FUZZ_SEED repeats one that failed, or tries a new one. */
export const SEEDS = process.env.SIGNALBOX_FUZZ_SEED ? [Number(process.env.SIGNALBOX_FUZZ_SEED)] : [1, 2, 3];

/** What holds for a whole conversation: TR1, TR12 and TR13 of the contract. */
export function describeConversations({ contract, ends }: ContractScene): void {
  it('[TR1] lines arrive whole, in order and once, both ways at the same time', async () => {
    const { left, right } = ends();
    const there = Array.from({ length: 1000 }, (_, n) => numberedLine(n, n % 300));
    const back = Array.from({ length: 1000 }, (_, n) => numberedLine(-n, n % 200));
    const [atRight, atLeft] = await Promise.all([
      readLines(right.receive(), there.length),
      readLines(left.receive(), back.length),
      sendAll(left, there),
      sendAll(right, back),
    ]);
    expect(atRight).toEqual(there);
    expect(atLeft).toEqual(back);
  });

  it('[TR12] what was closed keeps no timer, socket or process alive', async () => {
    const before = process.getActiveResourcesInfo();
    const { left, right, cleanup } = await contract.connect();
    await left.send('1');
    const [received] = await Promise.all([readToEnd(right), left.close()]);
    await right.close();
    expect(received).toEqual(['1']);
    await cleanup();
    // Not expect.poll, whose own timer would count.
    while (addedTo(before).length > 0) await delay(10);
  });

  it.each(SEEDS)('[TR13] chance in sizes, pauses and order changes nothing (seed %i)', async (seed) => {
    await converse(ends(), seed);
  });
}

/** What keeps this process alive now and did not before. */
function addedTo(before: readonly string[]): string[] {
  const known = [...before];
  return process.getActiveResourcesInfo().filter((name) => {
    const at = known.indexOf(name);
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
}

/** Both ends talk at the same time until each has heard all that the other said; `onLine` after each line. */
export async function converse(
  ends: ConnectedEnds,
  seed: number,
  onLine: () => void = () => {},
): Promise<void> {
  const [there, back] = [2 * seed, 2 * seed + 1];
  await Promise.all([
    write(ends.left, there),
    read(ends.right, there, onLine),
    write(ends.right, back),
    read(ends.left, back, onLine),
  ]);
}

async function write(transport: Transport, seed: number): Promise<void> {
  const content = new SeededRandom(seed);
  const pace = new SeededRandom(seed + WRITER_PACE);
  const unsettled: Promise<void>[] = [];
  for (let n = 0; n < LINES_PER_SEED; n += 1) {
    unsettled.push(transport.send(chanceLine(content)));
    if (pace.chance(60)) await Promise.all(unsettled.splice(0));
    if (pace.chance(10)) await pause(pace);
  }
  await Promise.all(unsettled);
}

async function read(transport: Transport, seed: number, onLine: () => void): Promise<void> {
  const content = new SeededRandom(seed);
  const pace = new SeededRandom(seed + READER_PACE);
  const lines = transport.receive();
  for (let n = 0; n < LINES_PER_SEED; ) {
    const asked = Math.min(1 + pace.below(4), LINES_PER_SEED - n);
    for (const next of Array.from({ length: asked }, () => lines.next())) {
      const { value } = await next;
      expect(value?.text() === chanceLine(content), `line ${n} arrived as it was sent`).toBe(true);
      n += 1;
      onLine();
    }
    if (pace.chance(20)) await pause(pace);
  }
}

async function pause(pace: SeededRandom): Promise<void> {
  for (let turns = pace.below(5); turns > 0; turns -= 1) await nextTurn();
}
