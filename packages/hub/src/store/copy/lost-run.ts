import { blocksOf } from '../sql/cut-runs.ts';
import { Run } from '../sql/run.ts';

/** The checksum of a run without a body: that of no bytes is 0, so that all entries count as damaged. */
const NO_CHECKSUM = 1;

/** Entries of which nothing is left. */
export function lostRun(first: number, count: number): Run {
  return new Run(first, count, new Uint8Array(), NO_CHECKSUM);
}

/**
 * The entries from number `from` on of a run, in runs. A damaged run that begins before is cut: its sound entries are kept, and
 * the damaged ones are lost.
 */
export function runsFrom(run: Run, from: number): Run[] {
  if (run.first >= from) return [run];
  if (run.isIntact) return [run.slice(from, run.last)];
  const damaged = new Set(run.damaged());
  const runs: Run[] = [];
  for (let seq = from; seq <= run.last; ) {
    const isDamaged = damaged.has(seq);
    let end = seq;
    while (end < run.last && damaged.has(end + 1) === isDamaged) end += 1;
    runs.push(isDamaged ? lostRun(seq, end - seq + 1) : run.slice(seq, end));
    seq = end + 1;
  }
  return runs;
}

/** Runs of a session without gaps, from number `from` to `last`: what is missing is lost. */
export async function* wholeRuns(runs: AsyncIterable<Run>, from: number, last: number): AsyncGenerator<Run> {
  let next = from;
  for await (const run of runs) {
    if (run.last < next || run.count === 0) continue;
    if (run.first > next) yield lostRun(next, run.first - next);
    yield* runsFrom(run, Math.max(next, run.first));
    next = run.last + 1;
  }
  if (next <= last) yield lostRun(next, last - next + 1);
}

/** Small runs joined, as they are stored. */
export async function* joined(runs: AsyncIterable<Run>, atMost: number): AsyncGenerator<Run> {
  let gathered: Run[] = [];
  let bytes = 0;
  for await (const run of runs) {
    gathered.push(run);
    bytes += run.body.length;
    if (bytes < atMost) continue;
    yield* blocksOf(gathered);
    gathered = [];
    bytes = 0;
  }
  yield* blocksOf(gathered);
}
