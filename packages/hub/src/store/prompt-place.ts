import type { Prompt } from '@signalbox/protocol/hub';
import { RecordNotFoundError, StoreLimitError } from './store-errors.ts';

/**
 * Where a prompt stands that is to go before another one, or behind all others. Only its own place changes: nobody has to be
 * told of the others. `prompts` are those of its session that have not arrived, in their order.
 */
export function placeBefore(
  prompts: readonly Pick<Prompt, 'id' | 'place' | 'state'>[],
  moved: Pick<Prompt, 'id' | 'place'>,
  before: string | null,
): number {
  // Behind one that is on its way: that one stays the next.
  const others = prompts.filter(({ id }) => id !== moved.id);
  const isBefore = ({ id, state }: (typeof others)[number]): boolean => id === before && state === 'waiting';
  const at = before === null ? others.length : others.findIndex(isBefore);
  if (at < 0) throw new RecordNotFoundError(`waiting prompt ${before}`);
  const [previous, next] = [others[at - 1]?.place, others[at]?.place];
  if (previous === undefined) return next === undefined ? moved.place : next - 1;
  // One that is written later has a whole number of its own, and stays behind it.
  const end = next ?? Math.floor(previous) + 1;
  const place = (previous + end) / 2;
  // After some fifty moves to one place there is no number left between its neighbours.
  if (place <= previous || place >= end)
    throw new StoreLimitError('No prompt fits between these two any more: move one of them first');
  return place;
}
