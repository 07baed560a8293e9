import type { WireLine } from '@signalbox/protocol';
import type { Cursor, HubNote, SessionViewer } from '@signalbox/protocol/hub';
import type { Holds } from '../base/holds.ts';
import { cursorOn, type RecordedLine } from '../store/record.ts';
import { Audience } from './audience.ts';
import type { Frame } from './frame.ts';
import { entriesFrame, noteFrame, previewsFrame } from './stream-message.ts';

/** One who watches a session. */
export interface Subscriber {
  readonly viewer: SessionViewer;
  /** It watches, and nobody looks at it: a page behind others. */
  readonly isAway?: boolean;
  /** Lines of the record from `first` up to a cursor, in a frame that all subscribers share. */
  onEntries(first: number, cursor: Cursor, frame: Frame): void;
  onPreview(frame: Frame): void;
  onMessage(frame: Frame): void;
}

/** One who gets what is said in a session as it is, and not in the words of the hub's stream. */
export interface LineListener {
  readonly viewer: SessionViewer;
  onEntries(entries: readonly RecordedLine[]): void;
  onPreview(line: WireLine): void;
  onNote(note: HubNote): void;
}

/** Tells those who watch a session what happens in it; a frame is made once, whoever gets it. */
export class Feed {
  readonly #session: string;
  readonly #subscribers = new Set<Subscriber>();
  readonly #listeners = new Set<LineListener>();
  readonly #audience = new Audience();
  /** What was previewed in this turn of the event loop: it is shown together. */
  #previews: WireLine[] = [];
  #cursor: Cursor;
  readonly #holds: Holds;
  /** The last one who looked has left, or looks elsewhere. */
  readonly #onUnwatched: () => void;
  #wasWatched = false;
  /** As long as anybody watches, the session is in use. */
  #release: (() => void) | undefined;

  /** `cursor` is on the newest entry of the record so far. */
  constructor(session: string, cursor: Cursor, holds: Holds, onUnwatched: () => void = () => {}) {
    this.#onUnwatched = onUnwatched;
    this.#session = session;
    this.#cursor = cursor;
    this.#holds = holds;
  }

  /** The newest entry that was shown. */
  get last(): number {
    return this.#cursor.seq;
  }

  /** The cursor on that. */
  get cursor(): Cursor {
    return this.#cursor;
  }

  /** How many watch, in whatever words. */
  get size(): number {
    return this.#subscribers.size + this.#listeners.size;
  }

  /** True while somebody looks, and is not only connected. */
  get isWatched(): boolean {
    if (this.#listeners.size > 0) return true;
    for (const { isAway } of this.#subscribers) if (isAway !== true) return true;
    return false;
  }

  /** A subscriber looks, or does so no longer. */
  noteLook(): void {
    const isWatched = this.isWatched;
    const hasEnded = this.#wasWatched && !isWatched;
    this.#wasWatched = isWatched;
    if (hasEnded) this.#onUnwatched();
  }

  /** Who watches, in whatever words, each device once. */
  get viewers(): SessionViewer[] {
    return this.#audience.viewers;
  }

  /** The others hear of it; the one who joins is told with its snapshot. */
  join(subscriber: Subscriber): void {
    this.#tellJoined(subscriber.viewer);
    this.#subscribers.add(subscriber);
    this.#holdWhileWatched();
  }

  leave(subscriber: Subscriber): void {
    if (this.#subscribers.delete(subscriber)) this.#tellLeft(subscriber.viewer);
    this.#holdWhileWatched();
  }

  /** Returns the way to stop it. */
  listen(listener: LineListener): () => void {
    this.#tellJoined(listener.viewer);
    this.#listeners.add(listener);
    this.#holdWhileWatched();
    return () => {
      if (this.#listeners.delete(listener)) this.#tellLeft(listener.viewer);
      this.#holdWhileWatched();
    };
  }

  entries(entries: readonly RecordedLine[]): void {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return;
    const cursor = cursorOn(last);
    this.showPreviews();
    this.#cursor = cursor;
    for (const listener of this.#listeners) listener.onEntries(entries);
    if (this.#subscribers.size === 0) return;
    const frame = entriesFrame(this.#session, entries);
    for (const subscriber of this.#subscribers) subscriber.onEntries(first.seq, cursor, frame);
  }

  preview(line: WireLine): void {
    for (const listener of this.#listeners) listener.onPreview(line);
    if (this.#subscribers.size === 0) return;
    if (this.#previews.push(line) === 1) setImmediate(() => this.showPreviews());
  }

  message(message: HubNote): void {
    for (const listener of this.#listeners) listener.onNote(message);
    if (this.#subscribers.size === 0) return;
    this.showPreviews();
    const frame = noteFrame(message);
    for (const subscriber of this.#subscribers) subscriber.onMessage(frame);
  }

  /** Show now what waits for the end of the turn: nothing that was said later may come before it. */
  showPreviews(): void {
    const lines = this.#previews;
    if (lines.length === 0) return;
    this.#previews = [];
    const frame = previewsFrame(this.#session, lines);
    for (const subscriber of this.#subscribers) subscriber.onPreview(frame);
  }

  #holdWhileWatched(): void {
    this.noteLook();
    if (this.size > 0) {
      this.#release ??= this.#holds.take();
      return;
    }
    this.#release?.();
    this.#release = undefined;
  }

  /** Tell the difference alone: a list for each of n who come would be n² of them. */
  #tellJoined(viewer: SessionViewer): void {
    if (this.#audience.add(viewer)) this.#tellPresence([viewer], []);
  }

  #tellLeft(viewer: SessionViewer): void {
    if (this.#audience.remove(viewer)) this.#tellPresence([], [viewer]);
  }

  #tellPresence(joined: SessionViewer[], left: SessionViewer[]): void {
    if (this.#subscribers.size === 0) return;
    const frame = noteFrame({ type: 'presence', session: this.#session, joined, left });
    for (const subscriber of this.#subscribers) subscriber.onMessage(frame);
  }
}
