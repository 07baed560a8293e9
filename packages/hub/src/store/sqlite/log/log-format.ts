/** The layout of SQLite's write-ahead log: a header, then frames of a header and a page each. */
export const LOG_HEADER_BYTES = 32;
export const FRAME_HEADER_BYTES = 24;

/** The last bit of the magic number says in which order checksums read the bytes of a word. */
export const MAGIC = 0x377f0682;
export const FORMAT_VERSION = 3_007_000;

/** Where a field begins, in the header of the log and in that of a frame. */
export const HEADER = { magic: 0, version: 4, pageSize: 8, salts: 16, checksum: 24 } as const;
export const FRAME = { page: 0, commitSize: 4, salts: 8, checksum: 16 } as const;

/** What the checksum of the log's header covers, and of a frame's header. */
const SEALED_HEADER_BYTES = 24;
const SEALED_FRAME_BYTES = 8;

/** Two unsigned words. Salts tell one filling of the log from the next; each checksum goes on from the one before it. */
export type WordPair = readonly [number, number];

export function samePair(a: WordPair, b: WordPair): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

export function pairAt(view: DataView, at: number): WordPair {
  return [view.getUint32(at), view.getUint32(at + 4)];
}

export function setPair(view: DataView, at: number, [first, second]: WordPair): void {
  view.setUint32(at, first);
  view.setUint32(at + 4, second);
}

/** The words of a log, as its checksums read them. */
export class LogWords {
  readonly view: DataView;
  readonly isLittleEndian: boolean;
  readonly frameBytes: number;

  constructor(view: DataView, isLittleEndian: boolean, pageBytes: number) {
    this.view = view;
    this.isLittleEndian = isLittleEndian;
    this.frameBytes = FRAME_HEADER_BYTES + pageBytes;
  }

  /** How many frames there is room for. */
  get capacity(): number {
    return Math.max(0, Math.floor((this.view.byteLength - LOG_HEADER_BYTES) / this.frameBytes));
  }

  frameAt(index: number): number {
    return LOG_HEADER_BYTES + index * this.frameBytes;
  }

  headerChecksum(): WordPair {
    return this.#sum([0, 0], 0, SEALED_HEADER_BYTES);
  }

  frameChecksum(index: number, before: WordPair): WordPair {
    const at = this.frameAt(index);
    const header = this.#sum(before, at, at + SEALED_FRAME_BYTES);
    return this.#sum(header, at + FRAME_HEADER_BYTES, at + this.frameBytes);
  }

  /** Where the words are that a frame's checksum covers, from the last to the first. */
  *sealedWords(index: number): Iterable<number> {
    const at = this.frameAt(index);
    for (let word = at + this.frameBytes - 4; word >= at + FRAME_HEADER_BYTES; word -= 4) yield word;
    for (let word = at + SEALED_FRAME_BYTES - 4; word >= at; word -= 4) yield word;
  }

  #sum([first, second]: WordPair, from: number, to: number): WordPair {
    const { view, isLittleEndian } = this;
    let a = first;
    let b = second;
    for (let at = from; at < to; at += 8) {
      a = (a + view.getUint32(at, isLittleEndian) + b) | 0;
      b = (b + view.getUint32(at + 4, isLittleEndian) + a) | 0;
    }
    return [a >>> 0, b >>> 0];
  }
}
