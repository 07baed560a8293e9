import { LineDecoder, LineTooLongError, type WireLine } from '@signalbox/protocol';
import { decodeLinkFrame, type LinkFrame, LinkProtocolError } from '../link/link-frame.ts';
import { startOfLongLine } from './long-line.ts';

/** A longer frame is cut into lines bit by bit: a flood of short lines must not hold up everything else. */
export const SLICE_BYTES = 64 * 1024;

/** What may wait as bytes, beside one frame, before the connection is read no further. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** What may be handed on without room once this side leaves, so that its consumer finds what had arrived. */
export const FAREWELL_BYTES = 64 * 1024 * 1024;

/** What a frame, or a line, costs beside its bytes. */
const OVERHEAD_BYTES = 96;

const NEWLINE = 0x0a;
const LINE_END = Buffer.from('\n');

/** These say nothing about the lines around them, and must not wait behind lines that nobody reads. */
const URGENT: ReadonlySet<LinkFrame['link']> = new Set(['ack', 'hold', 'go']);

/** Who is told by a {@link FrameReader}. */
export interface FrameReaderOutlets {
  /** False when there is no room for more, until `resume()`. */
  onLine: (line: WireLine) => boolean;
  onLinkFrame: (frame: LinkFrame) => void;
  onViolation: (error: LineTooLongError | LinkProtocolError) => void;
  /** False once nobody wants what this connection brings. */
  isWanted: () => boolean;
  /** Read the connection, or leave it alone for now. */
  pause: () => void;
  unpause: () => void;
}

/** What is left of a frame. */
type Waiting = { bytes: Buffer } | { frame: LinkFrame };

/**
 * Turns the frames of a connection into lines. Short frames are read at once; of a long one, and while there is no room,
 * what is not read yet waits as bytes, which cost a hundredth of the lines in them.
 */
export class FrameReader {
  readonly #link: 'plain' | 'lossless';
  readonly #maxLineBytes: number;
  readonly #outlets: FrameReaderOutlets;
  readonly #decoder: LineDecoder;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #room: 'free' | 'full' = 'free';
  #state: 'open' | 'paused' | 'broken' = 'open';
  #planned = false;
  #allowance = 0;
  #onIdle: () => void = () => {};

  constructor(link: 'plain' | 'lossless', maxLineBytes: number, outlets: FrameReaderOutlets) {
    this.#link = link;
    this.#maxLineBytes = maxLineBytes;
    this.#outlets = outlets;
    this.#decoder = new LineDecoder({
      onLine: (line) => {
        if (outlets.onLine(line)) return;
        if (this.#allowance > 0) this.#allowance -= line.byteLength + OVERHEAD_BYTES;
        else this.#room = 'full';
      },
      maxLineBytes: Number.POSITIVE_INFINITY,
    });
    // On a lossless link nothing may be taken for a byte order mark: a line could begin like one.
    if (link === 'lossless') this.#decoder.push(LINE_END);
  }

  push(bytes: Buffer, isBinary: boolean): void {
    if (this.#state === 'broken') return;
    this.#guarded(() => {
      if (this.#link === 'plain' || !isBinary) this.#pushLines(bytes);
      else this.#pushLinkFrame(decodeLinkFrame(bytes));
    });
  }

  /** There is room again. */
  resume(): void {
    this.#room = 'free';
    if (this.#waiting.length > 0) this.#plan();
    else this.#unpause();
  }

  /** This side leaves: hand on what waits, also without room. */
  finish(): void {
    this.#allowance = FAREWELL_BYTES;
    this.resume();
  }

  /** Settles when all that has arrived was handed on, or is wanted no more. */
  idle(): Promise<void> {
    if (this.#waiting.length === 0 || !this.#outlets.isWanted()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  #pushLines(bytes: Buffer): void {
    const isFirst = this.#waiting.length === 0 && this.#room === 'free';
    const end = isFirst ? sliceOf(bytes) : 0;
    if (end > 0) this.#decode(bytes.subarray(0, end), end === bytes.length);
    if (end < bytes.length || !isFirst) this.#wait({ bytes: bytes.subarray(end) }, bytes.length - end);
    // A plain peer that sends more than there is room for is left alone: it has nothing else to say.
    else if (this.#room === 'full' && this.#link === 'plain') this.#pause();
  }

  #pushLinkFrame(frame: LinkFrame): void {
    if (this.#waiting.length === 0 || URGENT.has(frame.link)) this.#outlets.onLinkFrame(frame);
    else this.#wait({ frame }, 0);
  }

  #wait(waiting: Waiting, length: number): void {
    this.#waiting.push(waiting);
    this.#waitingBytes += length + OVERHEAD_BYTES;
    if (this.#link === 'plain' || this.#waitingBytes > MAX_WAITING_BYTES) this.#pause();
    if (this.#room === 'free') this.#plan();
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      this.#guarded(() => this.#next());
    });
  }

  /** One slice, and the frames of the link that follow it. */
  #next(): void {
    if (!this.#outlets.isWanted()) this.#drop();
    const [first] = this.#waiting;
    if (this.#room === 'free' && first && 'bytes' in first) {
      const end = sliceOf(first.bytes);
      const slice = first.bytes.subarray(0, end);
      const isLast = end === first.bytes.length;
      this.#waitingBytes -= end;
      if (isLast) this.#shift();
      else first.bytes = first.bytes.subarray(end);
      this.#decode(slice, isLast);
    }
    for (let next = this.#waiting[0]; next && 'frame' in next; next = this.#waiting[0]) {
      this.#shift();
      this.#outlets.onLinkFrame(next.frame);
    }
    if (this.#waiting.length === 0) this.#done();
    else if (this.#room === 'free') this.#plan();
  }

  #shift(): void {
    this.#waiting.shift();
    this.#waitingBytes -= OVERHEAD_BYTES;
  }

  #done(): void {
    if (this.#room === 'free' || this.#link === 'lossless') this.#unpause();
    this.#onIdle();
  }

  #drop(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #pause(): void {
    if (this.#state !== 'open') return;
    this.#state = 'paused';
    this.#outlets.pause();
  }

  #unpause(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'open';
    this.#outlets.unpause();
  }

  /** Nothing after a line that is too long is handed on: it would get that line's number. */
  #decode(slice: Buffer, isEnd: boolean): void {
    const tooLong = startOfLongLine(slice, this.#maxLineBytes);
    this.#decoder.push(tooLong === -1 ? slice : slice.subarray(0, tooLong));
    if (tooLong !== -1) throw new LineTooLongError(this.#maxLineBytes);
    if (!isEnd) return;
    // Peers exist that send a message a frame and no line end.
    if (this.#link === 'plain') this.#decoder.end();
    else if (this.#decoder.carriedBytes > 0) throw new LinkProtocolError('a line without its end');
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof LinkProtocolError || error instanceof LineTooLongError)) throw error;
      this.#state = 'broken';
      this.#drop();
      this.#onIdle();
      this.#outlets.onViolation(error);
    }
  }
}

/** Where the next slice of a frame ends: behind a line, so that no line is copied. */
function sliceOf(bytes: Buffer): number {
  if (bytes.length <= SLICE_BYTES) return bytes.length;
  const newline = bytes.indexOf(NEWLINE, SLICE_BYTES);
  return newline === -1 ? bytes.length : newline + 1;
}
