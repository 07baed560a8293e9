import type { Cursor, EntryMessage, StreamMessage } from '@signalbox/protocol/hub';

/** Who is told what happens in a session: a snapshot first, and again after every break; an error when it cannot be followed. */
export type WatchListener = (message: StreamMessage) => void;

/** How to begin: after a cursor, or with the newest entries. */
export interface WatchOptions {
  cursor?: Cursor;
  /** How many of the newest entries to begin with. */
  tail?: number;
}

/** One session as it is followed: every entry of its record arrives once and in order, whatever the connection does. */
export class Watch {
  readonly #listener: WatchListener;
  readonly #tail: number | undefined;
  #cursor: Cursor | undefined;
  #state: 'asked' | 'following' = 'asked';
  /** The subscription that was asked for last. */
  #id = '';

  constructor(listener: WatchListener, { cursor, tail }: WatchOptions) {
    this.#listener = listener;
    this.#cursor = cursor;
    this.#tail = tail;
  }

  /** The last entry that was told; what comes after it is asked for after a break. */
  get cursor(): Cursor | undefined {
    return this.#cursor;
  }

  /** What to ask the hub for now, under this id. */
  ask(id: string): WatchOptions {
    this.#id = id;
    this.#state = 'asked';
    return {
      ...(this.#cursor ? { cursor: this.#cursor } : {}),
      ...(this.#tail === undefined ? {} : { tail: this.#tail }),
    };
  }

  /** Whether it is this one that the hub speaks of. */
  hasAsked(id: string): boolean {
    return this.#id === id;
  }

  /** Returns false when entries are missing: then it has to be asked for again. */
  hear(message: StreamMessage): boolean {
    if (message.type === 'sdk-message') return this.#entry(message);
    // Meant for an earlier subscription.
    if (message.type === 'preview' && this.#state === 'asked') return true;
    if (message.type === 'reset') this.#cursor = undefined;
    if (message.type === 'snapshot') {
      this.#state = 'following';
      // Two subscriptions may be answered one after the other: the second must not tell everything again.
      const seq = Math.max(message.first - 1, this.#cursor?.seq ?? 0);
      this.#cursor = { epoch: message.epoch, seq };
    }
    this.#listener(message);
    return true;
  }

  #entry(entry: EntryMessage): boolean {
    const { epoch, seq } = entry;
    if (this.#state === 'asked' || !this.#cursor || seq <= this.#cursor.seq) return true;
    if (seq > this.#cursor.seq + 1) return false;
    this.#cursor = { epoch, seq };
    this.#listener(entry);
    return true;
  }
}
