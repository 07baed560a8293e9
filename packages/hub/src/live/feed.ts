import type { WireLine } from '@signalbox/protocol';
import type { HubNote } from '@signalbox/protocol/hub';
import type { RecordedLine } from '../store/record.ts';
import { encodeEntries, encodeNote, encodePreviews } from './stream-message.ts';
import { textFrame } from './text-frame.ts';

/** One who watches a session. */
export interface Subscriber {
  /** Lines `first` to `last` of the record, in a frame that all subscribers share. */
  onEntries(first: number, last: number, frame: Buffer): void;
  onPreview(frame: Buffer): void;
  onMessage(frame: Buffer): void;
}

/** Tells those who watch a session what happens in it; a frame is made once, whoever gets it. */
export class Feed {
  readonly #session: string;
  readonly #epoch: string;
  readonly #subscribers = new Set<Subscriber>();
  #last: number;

  /** `last` is the newest entry of the record so far. */
  constructor(session: string, epoch: string, last: number) {
    this.#session = session;
    this.#epoch = epoch;
    this.#last = last;
  }

  /** The newest entry that was shown. */
  get last(): number {
    return this.#last;
  }

  get size(): number {
    return this.#subscribers.size;
  }

  join(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
  }

  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  entries(entries: readonly RecordedLine[]): void {
    const [first, last] = [entries[0]?.seq, entries.at(-1)?.seq];
    if (first === undefined || last === undefined) return;
    this.#last = last;
    if (this.#subscribers.size === 0) return;
    const frame = textFrame(encodeEntries(this.#session, this.#epoch, entries));
    for (const subscriber of this.#subscribers) subscriber.onEntries(first, last, frame);
  }

  preview(line: WireLine): void {
    if (this.#subscribers.size === 0) return;
    const frame = textFrame(encodePreviews(this.#session, [line]));
    for (const subscriber of this.#subscribers) subscriber.onPreview(frame);
  }

  message(message: HubNote): void {
    if (this.#subscribers.size === 0) return;
    const frame = textFrame(encodeNote(message));
    for (const subscriber of this.#subscribers) subscriber.onMessage(frame);
  }
}
