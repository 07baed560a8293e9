import { SeededRandom } from '@signalbox/testing/seeded-random';
import { expect, it } from 'vitest';
import type { Transport } from '../src/transport.ts';
import type { ContractScene } from './contract.ts';
import { converse, SEEDS } from './contract-conversations.ts';
import { readLines } from './conversation.ts';

/** About one line in this many is followed by a drop. */
const LINES_PER_DROP = 25;

/** What happens when the connection is cut: TR14 and TR15 of the contract. */
export function describeDrops({ contract, ends }: ContractScene): void {
  it('[TR14] both sides outlive a drop, and what is sent from then on arrives', async () => {
    const { left, right } = ends();
    const back = Promise.all([comesBack(left), comesBack(right)]);
    await ends().drop?.(new SeededRandom(1));
    await back;
    await Promise.all([left.send('1'), right.send('2')]);
    expect(await readLines(right.receive(), 1)).toEqual(['1']);
    expect(await readLines(left.receive(), 1)).toEqual(['2']);
  });

  if (contract.survivesDrops !== 'lossless') return;

  it.each(SEEDS)(
    '[TR15] on a lossless link every line arrives once, whenever it drops (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed);
      const drops: unknown[] = [];
      await converse(ends(), seed, () => {
        if (random.below(LINES_PER_DROP) === 0) drops.push(ends().drop?.(random));
      });
      await Promise.all(drops);
      expect(drops.length).toBeGreaterThan(0);
    },
  );
}

function comesBack(transport: Transport): Promise<void> {
  return new Promise((resolve) => {
    let wasGone = false;
    const stop = transport.onStateChange((state) => {
      if (state !== 'connected') wasGone = true;
      else if (wasGone) {
        stop();
        resolve();
      }
    });
  });
}
