import { LineHead } from '@signalbox/protocol';
import { DAMAGED_CHECK, MAX_WINDOW_BYTES } from '../record.ts';
import type { WindowPart } from './packed-window.ts';
import { type Run, uuidHash } from './run.ts';

/** Entries that follow each other: of a run, or lost. */
export interface Stretch {
  first: number;
  last: number;
  run: Run | undefined;
}

/** Which entries a record has. */
export interface Extent {
  /** The number of the last entry that was taken away. */
  readonly trimmed: number;
  /** The number of the newest entry. */
  readonly last: number;
}

/**
 * At most `limit` entries, from number `start` upwards, or downwards with a step of -1; in their order. `stretchAt` gives what is
 * around a number, or undefined to end before it.
 */
export function windowParts(
  { trimmed, last: newest }: Extent,
  start: number,
  step: 1 | -1,
  limit: number,
  stretchAt: (seq: number) => Stretch | undefined,
): WindowPart[] {
  const parts: WindowPart[] = [];
  let left = limit;
  let bytes = MAX_WINDOW_BYTES;
  let seq = step === 1 ? Math.max(start, trimmed + 1) : start;
  while (left > 0 && bytes > 0 && seq > trimmed && seq <= newest) {
    const stretch = stretchAt(seq);
    if (!stretch) break;
    const { first, last, run } = stretch;
    const begin = seq;
    for (; left > 0 && bytes > 0 && seq >= first && seq <= last && seq > trimmed; seq += step) {
      left -= 1;
      bytes -= run?.size(seq - first) ?? 0;
    }
    const end = seq - step;
    parts.push(partOf(run, Math.min(begin, end), Math.max(begin, end)));
  }
  return step === 1 ? parts : parts.toReversed();
}

/** What a cursor on an entry carries. */
export function checkIn(run: Run | undefined, seq: number): number {
  return run && !run.damaged().includes(seq) ? run.place(seq - run.first).check : DAMAGED_CHECK;
}

/**
 * The first entry from `seq` on that is not older than a time, or the one behind the stretch. Nobody knows when a damaged one was:
 * it goes with what is around it.
 */
export function firstNotOlder({ first, last, run }: Stretch, seq: number, time: number): number {
  const damaged = new Set(run?.damaged());
  if (!run) return Math.max(seq, last + 1);
  let at = seq;
  while (at <= last && (damaged.has(at) || run.place(at - first).time < time)) at += 1;
  return at;
}

/** The number of the first sound line of a run with this uuid. */
export function seqOfUuid(run: Run | undefined, uuid: string): number | undefined {
  if (!run) return undefined;
  const hash = uuidHash(uuid);
  const damaged = new Set(run.damaged());
  for (let index = 0; index < run.count; index += 1) {
    const seq = run.first + index;
    if (damaged.has(seq) || run.uuidHash(index) !== hash) continue;
    if (new LineHead(run.line(index)).uuid === uuid) return seq;
  }
  return undefined;
}

function partOf(run: Run | undefined, from: number, to: number): WindowPart {
  if (!run) return { from, to, first: from, count: 0, body: null, damaged: [] };
  const damaged = run.damaged();
  const { first, count, body } = damaged.length === 0 ? run.slice(from, to) : run;
  return { from, to, first, count, body, damaged };
}
