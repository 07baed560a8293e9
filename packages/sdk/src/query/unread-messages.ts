import type { SDKMessage } from '../types/messages.ts';

/** How much of what an agent said may wait to be read before the agent is made to wait. */
export const UNREAD_HIGH_WATER_BYTES = 64 * 1024 * 1024;

/** Slots of messages that were read are given back once this many have gathered. */
const COMPACT_AFTER = 1024;

type Result = IteratorResult<SDKMessage, void>;
interface Unread {
  readonly value: SDKMessage;
  readonly done: false;
  readonly bytes: number;
}

const DONE: IteratorReturnResult<void> = { done: true, value: undefined };

/** Messages that came and wait for their reader. They are read ahead of it: an answer that it awaits may be behind them. */
export class UnreadMessages {
  readonly #waiting: ((result: Result | Promise<Result>) => void)[] = [];
  #messages: (Unread | undefined)[] = [];
  #head = 0;
  #bytes = 0;
  #end: { error?: unknown } | undefined;
  #room: { promise: Promise<void>; open: () => void } | undefined;

  /** What to wait for before the next message is pushed; undefined while there is room. */
  get room(): Promise<void> | undefined {
    return this.#room?.promise;
  }

  push(value: SDKMessage, bytes: number): void {
    if (this.#end) return;
    const unread: Unread = { value, done: false, bytes };
    const hand = this.#waiting.shift();
    if (hand) {
      hand(unread);
      return;
    }
    this.#messages.push(unread);
    this.#bytes += bytes;
    if (this.#bytes > UNREAD_HIGH_WATER_BYTES) this.#room ??= shut();
  }

  /** Nothing more will come. The reader gets what waits, then the end, or the error once. */
  end(error?: unknown): void {
    if (this.#end) return;
    this.#end = { error };
    this.#makeRoom();
    for (const hand of this.#waiting.splice(0)) hand(this.next());
  }

  /** The reader leaves: what waits is of no use to anybody. */
  drop(): void {
    this.end();
    this.#end = {};
    this.#messages = [];
    this.#head = 0;
  }

  next(): Promise<Result> {
    const unread = this.#messages[this.#head];
    if (unread) {
      this.#take(unread);
      return Promise.resolve(unread);
    }
    if (!this.#end) return new Promise((resolve) => this.#waiting.push(resolve));
    const { error } = this.#end;
    this.#end = {};
    return error === undefined ? Promise.resolve(DONE) : Promise.reject(error);
  }

  #take(unread: Unread): void {
    this.#messages[this.#head] = undefined;
    this.#head += 1;
    this.#bytes -= unread.bytes;
    if (this.#head === this.#messages.length) {
      this.#messages = [];
      this.#head = 0;
    } else if (this.#head === COMPACT_AFTER) {
      this.#messages.splice(0, COMPACT_AFTER);
      this.#head = 0;
    }
    if (this.#bytes <= UNREAD_HIGH_WATER_BYTES / 2) this.#makeRoom();
  }

  #makeRoom(): void {
    this.#room?.open();
    this.#room = undefined;
  }
}

function shut(): { promise: Promise<void>; open: () => void } {
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
