import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync } from 'node:zlib';

const TEXT = 0x81;
const DEFLATED_TEXT = 0xc1;
const SHORT = 125;
const MAX_UINT16 = 0xffff;

/** To begin a compression costs more than it saves below this. */
const MIN_DEFLATED_BYTES = 1024;

/** To deflate more than this at once would hold up everybody: it goes out as it is, unless it was deflated elsewhere. */
const MAX_AT_ONCE_BYTES = 256 * 1024;

/** Each frame by itself, because those who share it have not seen the same frames before. */
const DEFLATE = { level: 1, memLevel: 9, finishFlush: constants.Z_SYNC_FLUSH };

/** What a flush ends with, and RFC 7692 leaves out. */
const FLUSH_BYTES = 4;

const deflate = promisify<Uint8Array, typeof DEFLATE, Buffer>(deflateRaw);

/** A WebSocket text frame of a server: made once for all who get it, and deflated once for those who asked for that. */
export class Frame {
  readonly plain: Buffer;
  readonly #payload: Buffer;
  #deflated: Buffer | undefined;

  /** Of ASCII text and of bytes that follow each other. */
  constructor(pieces: readonly (string | Uint8Array)[]) {
    let length = 0;
    for (const piece of pieces) length += piece.length;
    let at = headerBytes(length);
    this.plain = Buffer.allocUnsafe(at + length);
    this.#payload = this.plain.subarray(at);
    writeHeader(this.plain, TEXT, length);
    for (const piece of pieces) {
      if (typeof piece === 'string') this.plain.write(piece, at, 'latin1');
      else this.plain.set(piece, at);
      at += piece.length;
    }
  }

  /** For viewers that inflate; the plain one where that is not longer, or would take long to deflate. */
  get deflated(): Buffer {
    const isNow = this.#isWorthIt && this.#payload.length <= MAX_AT_ONCE_BYTES;
    if (isNow) this.#deflated ??= this.#framed(deflateRawSync(this.#payload, DEFLATE));
    return this.#deflated ?? this.plain;
  }

  /** Deflate it elsewhere: a long one would hold up everybody. */
  async deflate(): Promise<void> {
    if (this.#isWorthIt) this.#deflated ??= this.#framed(await deflate(this.#payload, DEFLATE));
  }

  get #isWorthIt(): boolean {
    return this.#payload.length >= MIN_DEFLATED_BYTES;
  }

  #framed(flushed: Buffer): Buffer {
    const length = flushed.length - FLUSH_BYTES;
    const start = headerBytes(length);
    if (start + length >= this.plain.length) return this.plain;
    const frame = Buffer.allocUnsafe(start + length);
    writeHeader(frame, DEFLATED_TEXT, length);
    flushed.copy(frame, start, 0, length);
    return frame;
  }
}

function headerBytes(length: number): number {
  if (length <= SHORT) return 2;
  return length <= MAX_UINT16 ? 4 : 10;
}

function writeHeader(frame: Buffer, kind: number, length: number): void {
  frame[0] = kind;
  if (length <= SHORT) frame[1] = length;
  else if (length <= MAX_UINT16) {
    frame[1] = SHORT + 1;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = SHORT + 2;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
}
