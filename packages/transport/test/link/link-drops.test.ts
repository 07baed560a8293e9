import { setImmediate as nextTurn } from 'node:timers/promises';
import { ChaosProxy } from '@signalbox/testing/chaos-proxy';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Transport } from '../../src/transport.ts';
import { numberedLine } from '../sample-lines.ts';
import { accepted, client, startServer } from '../websocket/scene.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Each seed goes on until its connections were broken this often. */
const FAULTS_PER_SEED = 50;

const SEEDS = process.env.SIGNALBOX_FUZZ_SEED
  ? [Number(process.env.SIGNALBOX_FUZZ_SEED)]
  : [1, 2, 3, 4, 5, 6];

/** A connection that is closed one way only, and not read any more, is noticed by its heartbeat. */
const OPTIONS = { lossless: true, pingIntervalMs: 250 };

describe('a lossless link through a network that breaks', () => {
  it.each(SEEDS)('[LK1] both ways every line arrives once and in order (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    // Small enough for full outboxes and lines on disk, on some seeds.
    const outbox = random.chance(50)
      ? { memoryBytes: 64 * 1024, spill: { directory: temporaryFolder(), maxBytes: 512 * 1024 } }
      : { memoryBytes: 256 * 1024 };
    const far = accepted({ ...OPTIONS, outbox, acknowledge: 'manual' });
    const server = await startServer(far);
    const proxy = new ChaosProxy(server.port, random, FAULTS_PER_SEED);
    onTestFinished(() => proxy.stop());
    const near = client(await proxy.listen(), { ...OPTIONS, outbox });
    const isOver = (): boolean => proxy.isDone;
    await Promise.all([
      near.connect(),
      write(near, new SeededRandom(seed + 100), isOver),
      write(far, new SeededRandom(seed + 200), isOver),
      read(near, () => {}),
      read(far, () => {
        const { position } = far;
        if (position && random.chance(30)) far.acknowledge(position);
        else if (position) setImmediate(() => far.acknowledge(position));
      }),
    ]);
    expect(near.link).toBe('lossless');
  });
});

async function write(transport: Transport, random: SeededRandom, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    const limit = random.chance(95) ? 500 : random.chance(95) ? 100_000 : 2_000_000;
    const size = random.below(limit);
    await transport.send(numberedLine(n, size));
    if (random.chance(20)) await nextTurn();
  }
  await transport.send('"end"');
}

async function read(transport: Transport, onLine: () => void): Promise<void> {
  let n = 0;
  for await (const line of transport.receive()) {
    onLine();
    const text = line.text();
    if (text === '"end"') return;
    const { n: number } = JSON.parse(text);
    if (number !== n) expect(number, 'the number of the line that arrived').toBe(n);
    n += 1;
  }
}
