import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { joinLines, type OutgoingLine, weigh } from '../outgoing-line.ts';

const NEWLINE = 0x0a;

/** A run of numbered lines, kept in memory or in a file of its own. */
export class OutboxSegment {
  /** The number of its first line. */
  readonly first: number;
  #lines: OutgoingLine[] | undefined = [];
  #file: string | undefined;
  #count = 0;
  #weight = 0;

  constructor(first: number) {
    this.first = first;
  }

  /** The number of its last line; one less than `first` while it is empty. */
  get last(): number {
    return this.first + this.#count - 1;
  }

  /** What its lines weigh; on disk, its bytes. */
  get weight(): number {
    return this.#weight;
  }

  get isOnDisk(): boolean {
    return this.#file !== undefined;
  }

  append(line: OutgoingLine): void {
    this.#lines?.push(line);
    this.#count += 1;
    this.#weight += weigh(line);
  }

  /** The lines; read again from the file each time when the segment is on disk. Throws what the file system throws. */
  lines(): readonly OutgoingLine[] {
    if (this.#lines) return this.#lines;
    const lines = this.#file === undefined ? [] : linesIn(readFileSync(this.#file));
    // Lines are numbered by their place: one more or less would give every later line a wrong number.
    if (lines.length !== this.#count) throw new Error(`${this.#file} does not hold what was written to it`);
    return lines;
  }

  /** Move the lines to a file that only its owner may read. Throws what the file system throws, and keeps them then. */
  spill(file: string): void {
    if (!this.#lines) return;
    const content = Buffer.from(joinLines(this.#lines));
    try {
      writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    }
    this.#file = file;
    this.#lines = undefined;
    this.#weight = content.length;
  }

  discard(): void {
    const file = this.#file;
    this.#lines = [];
    this.#file = undefined;
    if (file === undefined) return;
    try {
      rmSync(file, { force: true });
    } catch {
      // A file that cannot be removed costs room on disk, and no line.
    }
  }
}

function linesIn(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = content.indexOf(NEWLINE); end !== -1; end = content.indexOf(NEWLINE, start)) {
    lines.push(content.subarray(start, end));
    start = end + 1;
  }
  return lines;
}
