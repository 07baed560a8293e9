import { crc32 } from 'node:zlib';
import { LineHead } from '@signalbox/protocol';

/**
 * An entry of a run: time (f64), the lengths of author and line, the uuid's hash, the generation, the checksum
 * and where author and line begin (u32 each).
 */
const ENTRY_BYTES = 32;
const AUTHOR_LENGTH = 8;
const LINE_LENGTH = 12;
const UUID_HASH = 16;
const GENERATION = 20;
const CHECKSUM = 24;
const OFFSET = 28;

/** What the checksum of an entry covers beside its author and line: its number, and the fields up to the checksum. */
const sealed = new Uint8Array(8 + CHECKSUM);
const sealedView = new DataView(sealed.buffer);

/** A line with what is kept beside it. */
export interface RunLine {
  time: number;
  bytes: Uint8Array;
  /** How many bytes before the line may be written over. */
  room?: number;
}

/** Where an entry lies in the body of its run. */
export interface EntryPlace {
  time: number;
  /** Its checksum: what a cursor on it carries. */
  check: number;
  author: number;
  line: number;
  end: number;
}

/** What a uuid is looked up by; never 0, which stands for a line without one. */
export function uuidHash(uuid: string): number {
  return crc32(uuid) || 1;
}

/**
 * Consecutive entries of a session as one piece of bytes: a table of entries, then their authors and lines. No two
 * entries share a byte, so that a flipped bit damages one of them and no more.
 */
export class Run {
  readonly first: number;
  readonly count: number;
  readonly body: Uint8Array;
  /** Of the whole body: while it is right, no entry needs to be looked at. */
  readonly checksum: number;
  readonly #view: DataView;
  #isIntact: boolean | undefined;

  /** Without a checksum the body is taken for what it should be. */
  constructor(first: number, count: number, body: Uint8Array, checksum?: number) {
    this.first = first;
    this.count = count;
    this.body = body;
    this.checksum = checksum ?? crc32(body);
    this.#view = viewOf(body);
    if (checksum === undefined) this.#isIntact = true;
  }

  /** The number of its last entry. */
  get last(): number {
    return this.first + this.count - 1;
  }

  get isIntact(): boolean {
    this.#isIntact ??= crc32(this.body) === this.checksum;
    return this.#isIntact;
  }

  /** What a run of one line has ahead of it. */
  static headBytes(author: Uint8Array): number {
    return ENTRY_BYTES + author.length;
  }

  static of(first: number, lines: readonly RunLine[], author: Uint8Array, generation: number): Run {
    let offset = lines.length * ENTRY_BYTES;
    let size = offset;
    for (const { bytes } of lines) size += author.length + bytes.length;
    const around = roomAround(lines, size);
    const body = around ?? Buffer.allocUnsafe(size);
    const view = viewOf(body);
    for (const [index, { time, bytes }] of lines.entries()) {
      const at = index * ENTRY_BYTES;
      const { uuid } = new LineHead(bytes);
      view.setFloat64(at, time);
      view.setUint32(at + AUTHOR_LENGTH, author.length);
      view.setUint32(at + LINE_LENGTH, bytes.length);
      view.setUint32(at + UUID_HASH, uuid === undefined ? 0 : uuidHash(uuid));
      view.setUint32(at + GENERATION, generation);
      view.setUint32(at + OFFSET, offset);
      body.set(author, offset);
      if (!around) body.set(bytes, offset + author.length);
      const end = offset + author.length + bytes.length;
      view.setUint32(
        at + CHECKSUM,
        entryChecksum(first + index, body.subarray(at, at + CHECKSUM), body.subarray(offset, end)),
      );
      offset = end;
    }
    return new Run(first, lines.length, body);
  }

  /** One run of several intact ones that follow each other. */
  static join(runs: readonly Run[]): Run {
    const [head] = runs;
    if (head && runs.length === 1) return head;
    return Run.#assemble(runs.map((run) => ({ run, start: 0, end: run.count })));
  }

  /** The entries from number `from` to `to` of an intact run. */
  slice(from: number, to: number): Run {
    if (from === this.first && to === this.last) return this;
    return Run.#assemble([{ run: this, start: from - this.first, end: to - this.first + 1 }]);
  }

  place(index: number): EntryPlace {
    const at = index * ENTRY_BYTES;
    const author = this.#view.getUint32(at + OFFSET);
    const line = author + this.#view.getUint32(at + AUTHOR_LENGTH);
    return {
      time: this.#view.getFloat64(at),
      check: this.#view.getUint32(at + CHECKSUM),
      author,
      line,
      end: line + this.#view.getUint32(at + LINE_LENGTH),
    };
  }

  /** The checks of all its entries. */
  checks(): number[] {
    return Array.from({ length: this.count }, (_, index) =>
      this.#view.getUint32(index * ENTRY_BYTES + CHECKSUM),
    );
  }

  /** What an entry takes, as far as that can be known. */
  size(index: number): number {
    const at = index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > this.body.length) return ENTRY_BYTES;
    return ENTRY_BYTES + Math.min(this.#view.getUint32(at + LINE_LENGTH), this.body.length);
  }

  /** The line of an entry that is not damaged. */
  line(index: number): Uint8Array {
    const { line, end } = this.place(index);
    return this.body.subarray(line, end);
  }

  /** The numbers of its entries that are not what was written. */
  damaged(): number[] {
    const numbers: number[] = [];
    if (this.isIntact) return numbers;
    for (let index = 0; index < this.count; index += 1) {
      if (!this.#isSound(index)) numbers.push(this.first + index);
    }
    return numbers;
  }

  /** The hashes of its uuids, to be searched; none for entries that are not there any more. */
  uuidHashes(): Uint8Array {
    const hashes = new Uint8Array(this.count * 4);
    const view = new DataView(hashes.buffer);
    const count = Math.min(this.count, Math.floor(this.body.length / ENTRY_BYTES));
    for (let index = 0; index < count; index += 1) view.setUint32(index * 4, this.uuidHash(index));
    return hashes;
  }

  uuidHash(index: number): number {
    return this.#view.getUint32(index * ENTRY_BYTES + UUID_HASH);
  }

  #isSound(index: number): boolean {
    const at = index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > this.body.length) return false;
    const { author, end } = this.place(index);
    const fields = this.body.subarray(at, at + CHECKSUM);
    const content = this.body.subarray(author, end);
    return this.#view.getUint32(at + CHECKSUM) === entryChecksum(this.first + index, fields, content);
  }

  static #assemble(parts: readonly { run: Run; start: number; end: number }[]): Run {
    const pieces = parts.map(({ run, start, end }) => ({
      table: run.body.subarray(start * ENTRY_BYTES, end * ENTRY_BYTES),
      from: run.place(start).author,
      content: run.body.subarray(run.place(start).author, run.place(end - 1).end),
    }));
    const tableBytes = pieces.reduce((sum, { table }) => sum + table.length, 0);
    // Of its own: it is given to another thread, and what shares a piece of memory would go with it.
    const body = Buffer.allocUnsafeSlow(
      pieces.reduce((sum, { content }) => sum + content.length, tableBytes),
    );
    const view = viewOf(body);
    let entry = 0;
    let offset = tableBytes;
    for (const { table, from, content } of pieces) {
      body.set(table, entry);
      body.set(content, offset);
      for (const end = entry + table.length; entry < end; entry += ENTRY_BYTES) {
        view.setUint32(entry + OFFSET, view.getUint32(entry + OFFSET) - from + offset);
      }
      offset += content.length;
    }
    const [head] = parts;
    return new Run(head ? head.run.first + head.start : 0, tableBytes / ENTRY_BYTES, body);
  }
}

/** Where the one line of a run is already, with room for the rest of the run before it. */
function roomAround(lines: readonly RunLine[], size: number): Buffer | undefined {
  const [line] = lines;
  if (!line?.room || lines.length > 1 || line.room !== size - line.bytes.length) return undefined;
  return Buffer.from(line.bytes.buffer, line.bytes.byteOffset - line.room, size);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The entry's number is part of it: a line in the wrong place is not what was written there. */
function entryChecksum(seq: number, fields: Uint8Array, content: Uint8Array): number {
  sealedView.setFloat64(0, seq);
  sealed.set(fields, 8);
  return crc32(content, crc32(sealed));
}
