import { type Dirent, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const RUN = /^(\d+)-(.+)$/;
const FILE = /^(\d+)\.ndjson$/;
const NEWLINE = 0x0a;

/** Lines that follow each other, ready to be sent: each with its line end. */
export interface LineBatch {
  /** The number of the first. */
  first: number;
  content: Buffer;
}

/** The lines of one epoch that a bridge left behind. */
export class LeftRun {
  readonly epoch: string;
  readonly #directory: string;
  readonly #firsts: number[];

  constructor(directory: string, epoch: string) {
    this.#directory = directory;
    this.epoch = epoch;
    this.#firsts = entriesOf(directory)
      .flatMap(({ name }) => FILE.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((a, b) => a - b);
  }

  /** The number of the last whole line; 0 when there is none. */
  get last(): number {
    for (const first of this.#firsts.toReversed()) {
      const count = countLines(this.#wholeLines(first));
      if (count > 0) return first + count - 1;
    }
    return 0;
  }

  /** The lines from `number` on, a file at a time. */
  *batchesFrom(number: number): Generator<LineBatch> {
    for (const [at, first] of this.#firsts.entries()) {
      const next = this.#firsts[at + 1];
      if (next !== undefined && next <= number) continue;
      const content = skipLines(this.#wholeLines(first), number - first);
      if (content.length > 0) yield { first: Math.max(first, number), content };
    }
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** What the file holds up to its last line end: a kill may have cut off the rest, which was never sent. */
  #wholeLines(first: number): Buffer {
    const content = readFileSync(join(this.#directory, `${first}.ndjson`));
    return content.subarray(0, content.lastIndexOf(NEWLINE) + 1);
  }
}

/** What earlier bridges left in an outbox, oldest first, without the folder that is in use. */
export function leftRuns(outbox: string, current?: string): LeftRun[] {
  return runNames(outbox)
    .map(({ name, epoch }) => ({ directory: join(outbox, name), epoch }))
    .filter(({ directory }) => directory !== current)
    .map(({ directory, epoch }) => new LeftRun(directory, epoch));
}

/** Where the lines of a new epoch go: behind all that is there. */
export function nextRunDirectory(outbox: string, epoch: string): string {
  const newest = runNames(outbox).at(-1)?.number ?? 0;
  return join(outbox, `${newest + 1}-${epoch}`);
}

function runNames(outbox: string): { name: string; number: number; epoch: string }[] {
  return foldersIn(outbox)
    .flatMap((name) => {
      const [, number, epoch] = RUN.exec(name) ?? [];
      return number === undefined || epoch === undefined ? [] : [{ name, number: Number(number), epoch }];
    })
    .toSorted((a, b) => a.number - b.number);
}

function foldersIn(directory: string): string[] {
  return entriesOf(directory).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    // Nothing was said yet, or all was delivered while somebody else looked.
    return [];
  }
}

function countLines(content: Buffer): number {
  let count = 0;
  for (let at = content.indexOf(NEWLINE); at !== -1; at = content.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

function skipLines(content: Buffer, count: number): Buffer {
  let start = 0;
  for (let skipped = 0; skipped < count && start < content.length; skipped += 1) {
    start = content.indexOf(NEWLINE, start) + 1;
  }
  return content.subarray(start);
}
