import type { Loop } from '@signalbox/protocol/hub';
import type { LoopIteration } from '@signalbox/protocol/loop';
import type { LoopAndIteration, StoredIteration } from '../store/loop.ts';

/** A loop as people see it. */
export function loopView({ loop, iteration }: LoopAndIteration): Loop {
  const { base: _, ...seen } = loop;
  return { ...seen, current: iteration && iterationView(iteration) };
}

/** An iteration as people see it: its prompt is in the record of its session. */
export function iterationView(iteration: StoredIteration): LoopIteration {
  const { prompt: _, promptId: __, author: ___, base: ____, ...seen } = iteration;
  return seen;
}
