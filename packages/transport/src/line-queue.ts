import type { WireLine } from '@signalbox/protocol';
import { ReceiveTwiceError } from './transport-errors.ts';

/** How many bytes wait for a slow consumer before the source is told to pause. */
export const RECEIVE_HIGH_WATER_BYTES = 1024 * 1024;

/** What a line costs beside its bytes; a flood of tiny lines must not pass the limit a hundredfold. */
const LINE_OVERHEAD_BYTES = 96;

/** Array slots of lines already handed over are given back once this many have gathered. */
const COMPACT_AFTER = 1024;

type Result = IteratorResult<WireLine, undefined>;

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Lines that arrived and wait for their one consumer. The source pauses when `push` says false, until `onRoom`. */
export class LineQueue implements AsyncIterableIterator<WireLine> {
  readonly #onRoom: () => void;
  readonly #highWaterBytes: number;
  #lines: (WireLine | undefined)[] = [];
  #head = 0;
  #bytes = 0;
  #paused = false;
  #claimed = false;
  #end: { error?: unknown } | undefined;
  /** Calls of `next()` that wait for a line, each for one of its own. */
  readonly #waiting: ((result: Result | Promise<Result>) => void)[] = [];

  constructor(options: { onRoom: () => void; highWaterBytes?: number }) {
    this.#onRoom = options.onRoom;
    this.#highWaterBytes = options.highWaterBytes ?? RECEIVE_HIGH_WATER_BYTES;
  }

  /** The queue as what `receive()` returns; only once. */
  claim(): this {
    if (this.#claimed) throw new ReceiveTwiceError();
    this.#claimed = true;
    return this;
  }

  /** False when the source should pause. What is pushed all the same is kept. */
  push(line: WireLine): boolean {
    if (this.#end) return true;
    const hand = this.#waiting.shift();
    if (hand) {
      hand({ done: false, value: line });
      return true;
    }
    this.#lines.push(line);
    this.#bytes += costOf(line);
    if (this.#bytes > this.#highWaterBytes) this.#paused = true;
    return !this.#paused;
  }

  /** Nothing more will come. The consumer gets what waits, then the end, or the error once. */
  end(error?: unknown): void {
    if (this.#end) return;
    this.#end = { error };
    for (const hand of this.#waiting.splice(0)) hand(this.next());
  }

  next(): Promise<Result> {
    const line = this.take();
    if (line) return Promise.resolve({ done: false, value: line });
    if (this.#end) {
      const { error } = this.#end;
      this.#end = {};
      return error === undefined ? Promise.resolve(DONE) : Promise.reject(error);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  get isEmpty(): boolean {
    return this.#head === this.#lines.length;
  }

  /** The next line, if one has arrived; a promise for each of a flood costs more than the lines themselves. */
  take(): WireLine | undefined {
    const line = this.#lines[this.#head];
    if (!line) return undefined;
    this.#lines[this.#head] = undefined;
    this.#head += 1;
    this.#bytes -= costOf(line);
    if (this.#head === this.#lines.length) {
      this.#lines = [];
      this.#head = 0;
    } else if (this.#head === COMPACT_AFTER) {
      this.#lines.splice(0, COMPACT_AFTER);
      this.#head = 0;
    }
    if (this.#paused && this.#bytes <= this.#highWaterBytes / 2) this.#resume();
    return line;
  }

  /** The consumer stops reading: drop what waits, and let the source run dry. */
  return(): Promise<IteratorReturnResult<undefined>> {
    this.end();
    this.#end = {};
    this.#lines = [];
    this.#head = 0;
    this.#bytes = 0;
    this.#resume();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#onRoom();
  }
}

function costOf(line: WireLine): number {
  return line.byteLength + LINE_OVERHEAD_BYTES;
}
