import { SignalboxError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { joinBytes } from './join-bytes.ts';
import { ChunkText, WireLine } from './wire-line.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/** Pieces of a line below this size are joined: byte by byte, a line must not cost an object per byte. */
const SMALL_PIECE_BYTES = 4096;

/** A line passed the limit. The decoder skips the rest of it and goes on with the next line. */
export class LineTooLongError extends SignalboxError {
  readonly limit: number;

  constructor(limit: number) {
    super(
      'LINE_TOO_LONG',
      `A line is longer than ${limit} bytes. Raise maxLineBytes if the peer is right to send it.`,
    );
    this.limit = limit;
  }
}

/** What a {@link LineDecoder} needs. */
export interface LineDecoderOptions {
  /** Gets every line that is not blank, in order. Must not throw: the rest of the chunk would be lost. */
  onLine: (line: WireLine) => void;
  /** How long a line may be, its carriage return included. */
  maxLineBytes?: number;
}

/**
 * Cuts chunks of bytes into lines in time linear in their length, wherever the chunks are cut.
 * Chunks are kept, not copied: do not write into a chunk after pushing it.
 */
export class LineDecoder {
  readonly #onLine: (line: WireLine) => void;
  readonly #maxLineBytes: number;
  #state: 'opening' | 'reading' | 'skipping' = 'opening';
  #carried: Uint8Array[] = [];
  #carriedBytes = 0;

  constructor(options: LineDecoderOptions) {
    this.#onLine = options.onLine;
    this.#maxLineBytes = options.maxLineBytes ?? LIMITS.lineBytes.most;
  }

  /** Bytes of a line whose end has not arrived yet. */
  get carriedBytes(): number {
    return this.#carriedBytes;
  }

  /** Deliver every line that `chunk` completes, then throw {@link LineTooLongError} if another passed the limit. */
  push(chunk: Uint8Array): void {
    if (this.#state === 'opening') return this.#open(chunk);
    let start = 0;
    let end = chunk.indexOf(NEWLINE);
    if (end === -1) return this.#carry(chunk);
    let tooLong = false;
    if (this.#state === 'skipping' || this.#carriedBytes > 0) {
      tooLong = this.#finishCarried(chunk.subarray(0, end));
      start = end + 1;
      end = chunk.indexOf(NEWLINE, start);
    }
    if (end !== -1) {
      const shared = new ChunkText(start === 0 ? chunk : chunk.subarray(start));
      for (let ordinal = 0; end !== -1; ordinal += 1) {
        if (end - start > this.#maxLineBytes) tooLong = true;
        else this.#deliver(chunk, start, end, shared, ordinal);
        start = end + 1;
        end = chunk.indexOf(NEWLINE, start);
      }
    }
    if (start < chunk.length) this.#carry(chunk.subarray(start));
    if (tooLong) throw new LineTooLongError(this.#maxLineBytes);
  }

  /** Deliver a last line that has no line end. What is pushed next begins a new stream. */
  end(): void {
    this.#state = 'opening';
    this.#deliverPieces(this.#takeCarried());
  }

  /** A byte order mark belongs to the stream, not to its first line. */
  #open(chunk: Uint8Array): void {
    const start = joinBytes([...this.#takeCarried(), chunk]);
    let marked = 0;
    while (marked < BYTE_ORDER_MARK.length && start[marked] === BYTE_ORDER_MARK[marked]) marked += 1;
    if (marked < BYTE_ORDER_MARK.length && marked === start.length) return this.#carry(start);
    this.#state = 'reading';
    this.push(marked === BYTE_ORDER_MARK.length ? start.subarray(marked) : start);
  }

  #carry(chunk: Uint8Array): void {
    if (this.#state === 'skipping' || chunk.length === 0) return;
    this.#carriedBytes += chunk.length;
    if (this.#carriedBytes > this.#maxLineBytes) {
      this.#takeCarried();
      this.#state = 'skipping';
      throw new LineTooLongError(this.#maxLineBytes);
    }
    let piece = chunk;
    let last = this.#carried.at(-1);
    // Joining only with what is not longer copies each byte a few times, however small the chunks are.
    while (last && last.length <= piece.length && piece.length < SMALL_PIECE_BYTES) {
      this.#carried.pop();
      piece = joinBytes([last, piece]);
      last = this.#carried.at(-1);
    }
    this.#carried.push(piece);
  }

  /** True when the line that ends with `tail` passes the limit only now; one that is skipped was reported before. */
  #finishCarried(tail: Uint8Array): boolean {
    const tooLong = this.#carriedBytes + tail.length > this.#maxLineBytes;
    const pieces = this.#takeCarried();
    if (this.#state === 'skipping') {
      this.#state = 'reading';
      return false;
    }
    if (tooLong) return true;
    if (tail.length > 0) pieces.push(tail);
    this.#deliverPieces(pieces);
    return false;
  }

  #takeCarried(): Uint8Array[] {
    const pieces = this.#carried;
    this.#carried = [];
    this.#carriedBytes = 0;
    return pieces;
  }

  #deliverPieces(pieces: Uint8Array[]): void {
    const last = pieces.at(-1);
    if (!last) return;
    if (last[last.length - 1] === CARRIAGE_RETURN) pieces[pieces.length - 1] = last.subarray(0, -1);
    if (pieces.some((piece) => !isBlank(piece, 0, piece.length))) this.#onLine(WireLine.ofPieces(pieces));
  }

  #deliver(chunk: Uint8Array, start: number, lineEnd: number, shared: ChunkText, ordinal: number): void {
    const end = chunk[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd;
    if (!isBlank(chunk, start, end)) this.#onLine(new WireLine(chunk, start, end, shared, ordinal));
  }
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((bytes[at] ?? 0) > SPACE) return false;
  return true;
}
