import { Run, type RunLine } from './run.ts';

/** A session's recent lines become a block at this size. */
export const BLOCK_BYTES = 128 * 1024;

/** Lines as runs that are no longer than a block, unless a line is. */
export function runsOf(
  first: number,
  lines: readonly RunLine[],
  author: Uint8Array,
  generation: number,
): Run[] {
  const runs: Run[] = [];
  let start = 0;
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    bytes += line.bytes.length;
    if (bytes < BLOCK_BYTES && index < lines.length - 1) continue;
    runs.push(Run.of(first + start, lines.slice(start, index + 1), author, generation));
    start = index + 1;
    bytes = 0;
  }
  return runs;
}

/** Runs that follow each other as blocks of about that size. */
export function blocksOf(runs: readonly Run[]): Run[] {
  const blocks: Run[] = [];
  let gathered: Run[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (gathered.length > 0) blocks.push(Run.join(gathered));
    gathered = [];
    bytes = 0;
  };
  for (const run of runs) {
    // A damaged run stays as it is, for its sound entries to be found in it.
    if (!run.isIntact) {
      flush();
      blocks.push(run);
      continue;
    }
    gathered.push(run);
    bytes += run.body.length;
    if (bytes >= BLOCK_BYTES) flush();
  }
  flush();
  return blocks;
}
