import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, SignalboxError } from '@signalbox/protocol';
import { type OutgoingLine, weigh } from '../outgoing-line.ts';
import { OutboxSegment } from './outbox-segment.ts';

/** What an outbox keeps in memory, and on disk, unless told otherwise. */
export const OUTBOX_MEMORY_BYTES = 32 * 1024 * 1024;
export const OUTBOX_DISK_BYTES = 1024 * 1024 * 1024;

/** Lines move to disk in runs of about this size. */
const SEGMENT_BYTES = 1024 * 1024;

/** Lines could not be moved to disk. They stay in memory, and writers wait until some are acknowledged. */
export class OutboxSpillError extends SignalboxError {
  constructor(directory: string, cause: unknown) {
    super(
      'OUTBOX_SPILL_FAILED',
      `Cannot keep unsent lines in ${directory}: ${messageOf(cause)}. Nothing is lost; sending waits for room.`,
      { cause },
    );
  }
}

/** Lines that were moved to disk are not there any more as they were written. */
export class OutboxReadError extends SignalboxError {
  constructor(cause: unknown) {
    super(
      'OUTBOX_READ_FAILED',
      `Cannot read unsent lines back: ${messageOf(cause)}. Keep other programs away from the outbox folder.`,
      { cause },
    );
  }
}

/** Where and how much an {@link Outbox} keeps. */
export interface OutboxOptions {
  memoryBytes?: number;
  /** Without it nothing goes to disk. */
  spill?: { directory: string; maxBytes?: number; onError?: (error: OutboxSpillError) => void };
}

/**
 * Lines that were taken and may have to be sent again, numbered from 1 within an epoch. Past its memory limit
 * it keeps new runs of lines on disk; past its disk limit it is full, and its writers wait.
 */
export class Outbox {
  readonly epoch: string = crypto.randomUUID();
  readonly #memoryBytes: number;
  readonly #segmentBytes: number;
  readonly #spill: OutboxOptions['spill'];
  /** Oldest first; never empty; only the last one takes lines. */
  #segments: OutboxSegment[] = [new OutboxSegment(1)];
  #firstKept = 1;
  #inMemory = 0;
  #onDisk = 0;
  #loaded: { segment: OutboxSegment; lines: readonly OutgoingLine[] } | undefined;

  constructor(options: OutboxOptions = {}) {
    this.#memoryBytes = options.memoryBytes ?? OUTBOX_MEMORY_BYTES;
    this.#segmentBytes = Math.min(SEGMENT_BYTES, Math.ceil(this.#memoryBytes / 4));
    this.#spill = options.spill;
  }

  /** The number of the oldest line that is still kept. */
  get first(): number {
    return this.#firstKept;
  }

  /** The number of the newest line; 0 before there is one. */
  get last(): number {
    return this.#open.last;
  }

  get isFull(): boolean {
    if (this.#inMemory <= this.#memoryBytes) return false;
    // Room on disk is used a segment at a time: until then memory may pass its limit by one segment.
    const diskLeft = (this.#spill?.maxBytes ?? OUTBOX_DISK_BYTES) - this.#onDisk;
    return !this.#spill || diskLeft <= 0 || this.#inMemory > this.#memoryBytes + this.#segmentBytes;
  }

  /** What is kept, in memory and on disk. */
  get weight(): number {
    return this.#inMemory + this.#onDisk;
  }

  /** What the lines from `number` on weigh together. */
  weightFrom(number: number): number {
    let weight = 0;
    for (const segment of this.#segments) {
      if (segment.first >= number) weight += segment.weight;
      else if (segment.last >= number) {
        for (const line of this.#linesOf(segment).slice(number - segment.first)) weight += weigh(line);
      }
    }
    return weight;
  }

  /** Keep a line; returns its number. */
  append(line: OutgoingLine): number {
    const segment = this.#open;
    segment.append(line);
    this.#inMemory += weigh(line);
    if (segment.weight >= this.#segmentBytes) this.#seal(segment);
    return this.last;
  }

  /** Lines from `number` on, as many as weigh no more than `weight` together, and at least one if there is one. */
  read(number: number, weight: number): OutgoingLine[] {
    const batch: OutgoingLine[] = [];
    const segment = this.#segmentOf(number);
    if (!segment) return batch;
    const lines = this.#linesOf(segment);
    let left = weight;
    for (let index = number - segment.first; index < lines.length; index += 1) {
      const line = lines[index];
      if (line === undefined) break;
      left -= weigh(line);
      if (left < 0 && batch.length > 0) break;
      batch.push(line);
    }
    return batch;
  }

  /** Forget the lines up to and including `number`: the other side has them. */
  release(number: number): void {
    this.#firstKept = Math.max(this.#firstKept, Math.min(number, this.last) + 1);
    let [oldest] = this.#segments;
    while (oldest && oldest.last < this.#firstKept && oldest !== this.#open) {
      this.#drop(oldest);
      this.#segments.shift();
      [oldest] = this.#segments;
    }
    const open = this.#open;
    if (open.last >= open.first && open.last < this.#firstKept) {
      this.#drop(open);
      this.#segments = [new OutboxSegment(this.#firstKept)];
    }
  }

  /** Let go of every line and file; the numbers stay. */
  close(): void {
    for (const segment of this.#segments) segment.discard();
    this.#loaded = undefined;
  }

  get #open(): OutboxSegment {
    return this.#segments.at(-1) ?? new OutboxSegment(this.#firstKept);
  }

  #seal(segment: OutboxSegment): void {
    this.#segments.push(new OutboxSegment(segment.last + 1));
    const { directory, maxBytes = OUTBOX_DISK_BYTES, onError } = this.#spill ?? {};
    if (directory === undefined || this.#inMemory <= this.#memoryBytes) return;
    if (this.#onDisk + segment.weight > maxBytes) return;
    try {
      const { weight } = segment;
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      segment.spill(join(directory, `${this.epoch}-${segment.first}.ndjson`));
      this.#inMemory -= weight;
      this.#onDisk += segment.weight;
    } catch (error) {
      onError?.(new OutboxSpillError(directory, error));
    }
  }

  #drop(segment: OutboxSegment): void {
    if (segment.isOnDisk) this.#onDisk -= segment.weight;
    else this.#inMemory -= segment.weight;
    if (this.#loaded?.segment === segment) this.#loaded = undefined;
    segment.discard();
  }

  #segmentOf(number: number): OutboxSegment | undefined {
    if (this.#open.first <= number) return this.#open;
    return this.#segments.find((segment) => number >= segment.first && number <= segment.last);
  }

  /** One segment of those on disk is held in memory at a time: the one being sent. */
  #linesOf(segment: OutboxSegment): readonly OutgoingLine[] {
    if (!segment.isOnDisk) return segment.lines();
    if (this.#loaded?.segment !== segment) this.#loaded = { segment, lines: readBack(segment) };
    return this.#loaded.lines;
  }
}

function readBack(segment: OutboxSegment): readonly OutgoingLine[] {
  try {
    return segment.lines();
  } catch (error) {
    throw new OutboxReadError(error);
  }
}
