/** One line of the table: what was measured, how it compares, and what was promised. */
export interface Row {
  what: string;
  baseline: string;
  ours: string;
  /** Ours against the baseline, so that noise of the machine hits both. */
  ratio: string;
  target: string;
  met: boolean | undefined;
}

/** A group of measurements. */
export interface Benchmark {
  name: string;
  title: string;
  run(): Promise<Row[]>;
}

/** Run the contenders by turns, so that a slow moment of the machine hits all of them; gives each one's median time. */
export async function interleave(
  rounds: number,
  contenders: Record<string, () => number | Promise<number>>,
): Promise<Record<string, number>> {
  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, contender] of Object.entries(contenders)) {
      globalThis.gc?.();
      (times[name] ??= []).push(await contender());
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

/** How long a synchronous piece of work takes, in milliseconds. */
export function time(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A row for "so many times faster than the baseline". */
export function faster(what: string, baselineMs: number, oursMs: number, atLeast: number | undefined): Row {
  const ratio = baselineMs / oursMs;
  return {
    what,
    baseline: `${baselineMs.toFixed(1)} ms`,
    ours: `${oursMs.toFixed(1)} ms`,
    ratio: `${ratio.toFixed(ratio < 10 ? 2 : 0)} ×`,
    target: atLeast === undefined ? '–' : `≥ ${atLeast} ×`,
    met: atLeast === undefined ? undefined : ratio >= atLeast,
  };
}
