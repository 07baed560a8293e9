import type { LinkPosition } from '@signalbox/transport';
import type { PackedAppend } from './packed-lines.ts';
import type { RunLine } from './run.ts';

/** What of an append is new to a session whose link has got as far as `known`. */
export function newLinesOf(
  { bytes, start, ends, times, numbers, position }: PackedAppend,
  known: LinkPosition | undefined,
): { lines: RunLine[]; position: LinkPosition | undefined } {
  const isSameEpoch = position !== undefined && position.epoch === known?.epoch;
  const received = isSameEpoch ? (known?.count ?? 0) : 0;
  const repeated = numbers.findIndex((number) => !(number <= received));
  const lines: RunLine[] = [];
  for (let index = repeated === -1 ? ends.length : repeated; index < ends.length; index += 1) {
    const line = bytes.subarray(ends[index - 1] ?? start, ends[index]);
    lines.push({ time: times[index] ?? 0, bytes: line, room: index === 0 ? start : 0 });
  }
  // Lines that came again bring no news of how far the link has got.
  const isNews = position !== undefined && (!isSameEpoch || position.count > received);
  return { lines, position: isNews ? position : undefined };
}

/** How far a link has got, as two columns say it. */
export function positionOf({
  link_epoch: epoch,
  link_count: count,
}: {
  link_epoch: string | null;
  link_count: number | null;
}): LinkPosition | undefined {
  return epoch === null || count === null ? undefined : { epoch, count };
}
