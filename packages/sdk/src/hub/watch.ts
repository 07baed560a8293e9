import { type Cursor, type EntryMessage, RECORD_START, type StreamMessage } from '@signalbox/protocol/hub';

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
  /** The entry that is told next. */
  #next = 0;
  #state: 'asked' | 'following' = 'asked';
  /** The subscription that was asked for last. */
  #id = '';

  constructor(listener: WatchListener, { cursor, tail }: WatchOptions) {
    this.#listener = listener;
    this.#cursor = cursor;
    this.#next = cursor ? cursor.seq + 1 : 0;
    this.#tail = tail;
  }

  /** The last entry that was told; what comes after it is asked for after a break. Undefined before the first of a tail. */
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
    if (message.type === 'reset') {
      this.#cursor = undefined;
      this.#next = 0;
    }
    if (message.type === 'snapshot') {
      this.#state = 'following';
      // Two subscriptions may be answered one after the other: the second must not tell everything again.
      this.#next = Math.max(message.first, this.#next);
      if (this.#next === 1) this.#cursor = RECORD_START;
    }
    this.#listener(message);
    return true;
  }

  #entry(entry: EntryMessage): boolean {
    const { seq, check } = entry;
    if (this.#state === 'asked' || seq < this.#next) return true;
    if (seq > this.#next) return false;
    this.#cursor = { seq, check };
    this.#next = seq + 1;
    this.#listener(entry);
    return true;
  }
}
