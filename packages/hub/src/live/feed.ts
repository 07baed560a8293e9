import type { WireLine } from '@signalbox/protocol';
import type { HubNote, SessionViewer } from '@signalbox/protocol/hub';
import type { RecordedLine } from '../store/record.ts';
import type { Frame } from './frame.ts';
import { entriesFrame, noteFrame, previewsFrame } from './stream-message.ts';

/** One who watches a session. */
export interface Subscriber {
  readonly viewer: SessionViewer;
  /** Lines `first` to `last` of the record, in a frame that all subscribers share. */
  onEntries(first: number, last: number, frame: Frame): void;
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
  readonly #epoch: string;
  readonly #subscribers = new Set<Subscriber>();
  readonly #listeners = new Set<LineListener>();
  /** What was previewed in this turn of the event loop: it is shown together. */
  #previews: WireLine[] = [];
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

  /** How many watch, in whatever words. */
  get size(): number {
    return this.#subscribers.size + this.#listeners.size;
  }

  /** Who watches, in whatever words, each device once. */
  get viewers(): SessionViewer[] {
    const viewers = new Map<string, SessionViewer>();
    for (const { viewer } of [...this.#subscribers, ...this.#listeners]) viewers.set(viewer.deviceId, viewer);
    return [...viewers.values()];
  }

  /** The others hear of it; the one who joins is told with its snapshot. */
  join(subscriber: Subscriber): void {
    const others = [...this.#subscribers];
    this.#change(() => this.#subscribers.add(subscriber), others);
  }

  leave(subscriber: Subscriber): void {
    this.#change(() => this.#subscribers.delete(subscriber));
  }

  /** Returns the way to stop it. */
  listen(listener: LineListener): () => void {
    this.#change(() => this.#listeners.add(listener));
    return () => this.#change(() => this.#listeners.delete(listener));
  }

  entries(entries: readonly RecordedLine[]): void {
    const [first, last] = [entries[0]?.seq, entries.at(-1)?.seq];
    if (first === undefined || last === undefined) return;
    this.showPreviews();
    this.#last = last;
    for (const listener of this.#listeners) listener.onEntries(entries);
    if (this.#subscribers.size === 0) return;
    const frame = entriesFrame(this.#session, this.#epoch, entries);
    for (const subscriber of this.#subscribers) subscriber.onEntries(first, last, frame);
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

  /** Somebody comes or goes; `told` hear of it when others watch than before. */
  #change(change: () => void, told: Iterable<Subscriber> = this.#subscribers): void {
    const before = this.viewers.length;
    change();
    const { viewers } = this;
    if (viewers.length === before) return;
    const frame = noteFrame({ type: 'presence', session: this.#session, viewers });
    for (const subscriber of told) subscriber.onMessage(frame);
  }
}
