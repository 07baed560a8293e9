import type { Cursor, HubNote, MessageCursor, ResetReason, SessionViewer } from '@signalbox/protocol/hub';
import { freeMemory, LONG_MESSAGE_BYTES } from '../base/free-memory.ts';
import { cursorOn, type Window } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { Subscriber } from './feed.ts';
import type { Frame } from './frame.ts';
import type { LiveSession } from './live-session.ts';
import { entriesFrame, noteFrame, previewsFrame } from './stream-message.ts';

/** How much of the record a viewer without a cursor is shown, unless it says otherwise. */
export const DEFAULT_TAIL = 200;

/** A cursor as viewers may have it: those of earlier versions named an opening of the store. */
export type AnyCursor = Cursor | MessageCursor | { epoch: string; seq: number };

/** How a subscription reaches its viewer. */
export interface SubscriptionSink {
  readonly viewer: SessionViewer;
  /** Whether frames are deflated on their way. */
  readonly inflates: boolean;
  /** Whether nobody looks at it at the moment. */
  isAway: () => boolean;
  write: (frame: Frame) => void;
  /** Settles when the viewer has taken most of what was written, or is gone. */
  drained: () => Promise<void>;
  /** Does long work of one device after the other. */
  inTurn: (work: () => Promise<void>) => Promise<void>;
  /** The record cannot be read any further. */
  fail: (error: unknown) => void;
}

/**
 * A viewer's subscription to one session. It reads the record until it has caught up with what is shown live, and goes live in
 * the same moment: so nothing falls between the two, and nothing comes twice.
 */
export class Subscription implements Subscriber {
  readonly #live: LiveSession;
  readonly #store: Store;
  readonly #sink: SubscriptionSink;
  #state: 'catching-up' | 'live' | 'ended' = 'catching-up';
  /** The last entry that the viewer was written. */
  #seq = 0;
  #cursor: Cursor | undefined;

  get viewer(): SessionViewer {
    return this.#sink.viewer;
  }

  get isAway(): boolean {
    return this.#sink.isAway();
  }

  /** The viewer looks, or does so no longer. */
  noteLook(): void {
    this.#live.feed.noteLook();
  }

  /** All up to here was written to the viewer; undefined while nothing was. */
  get cursor(): Cursor | undefined {
    return this.#cursor;
  }

  constructor(live: LiveSession, store: Store, sink: SubscriptionSink) {
    this.#live = live;
    this.#store = store;
    this.#sink = sink;
  }

  /** Show the rest after a cursor, or the record's tail; settles when the viewer has caught up. */
  async start(cursor: AnyCursor | undefined, tail = DEFAULT_TAIL): Promise<void> {
    this.#live.feed.join(this);
    await this.#begin(await this.#firstWindow(cursor, tail));
    await this.#catchUp();
  }

  end(): void {
    this.#state = 'ended';
    this.#live.feed.leave(this);
  }

  onEntries(first: number, cursor: Cursor, frame: Frame): void {
    if (this.#state !== 'live' || cursor.seq <= this.#seq) return;
    if (first === this.#seq + 1) {
      this.#reach(cursor);
      this.#sink.write(frame);
      return;
    }
    // Some of these were read from the record already: the frame for all does not fit.
    this.#state = 'catching-up';
    this.#catchUp().catch(this.#sink.fail);
  }

  onPreview(frame: Frame): void {
    if (this.#state === 'live') this.#sink.write(frame);
  }

  onMessage(frame: Frame): void {
    if (this.#state !== 'ended') this.#sink.write(frame);
  }

  async #firstWindow(cursor: AnyCursor | undefined, tail: number): Promise<Window> {
    const { record } = this.#store;
    const { id, feed } = this.#live;
    if (!cursor) return record.tail(id, tail);
    if ('check' in cursor) {
      const resumption = await record.resume(id, cursor);
      if (resumption.state === 'resumed') return resumption;
      return this.#reset(resumption.reason, resumption.last, tail);
    }
    if (!('uuid' in cursor)) return this.#reset('cursor-unknown', feed.last, tail);
    const seq = await record.locate(id, cursor.uuid);
    return seq === undefined ? this.#reset('uuid-unknown', feed.last, tail) : record.window(id, seq + 1);
  }

  #reset(reason: ResetReason, last: number, tail: number): Promise<Window> {
    this.#say({ type: 'reset', session: this.#live.id, reason, last });
    return this.#store.record.tail(this.#live.id, tail);
  }

  async #begin(window: Window): Promise<void> {
    const first = window.entries[0]?.seq ?? window.last + 1;
    this.#seq = first - 1;
    const { inbox } = this.#store;
    if ((await inbox.pendingBytes(this.#live.id)) <= LONG_MESSAGE_BYTES) await this.#snapshot(first, window);
    else await this.#sink.inTurn(() => this.#longSnapshot(first, window));
    await this.#show(window);
  }

  /** It is in memory until its viewer has taken it: before that no other one of the same device is made. */
  async #longSnapshot(first: number, window: Window): Promise<void> {
    await this.#sink.drained();
    if (this.#state === 'ended') return;
    await this.#snapshot(first, window);
    await this.#sink.drained();
    freeMemory();
  }

  async #snapshot(first: number, { last, trimmed: upTo }: Window): Promise<void> {
    // Nothing may be awaited after this: what changes later is told as it changes.
    const prompts = await this.#store.inbox.list(this.#live.id);
    const { session, activity } = this.#live;
    const permissions = this.#live.asks.open;
    const { viewers } = this.#live.feed;
    const trimmed = upTo > 0 ? { trimmed: upTo } : {};
    this.#say({
      type: 'snapshot',
      session,
      first,
      last,
      ...trimmed,
      activity,
      permissions,
      prompts,
      viewers,
    });
  }

  async #catchUp(): Promise<void> {
    while (this.#state === 'catching-up') {
      if (this.#seq >= this.#live.feed.last) return this.#goLive();
      await this.#sink.drained();
      const window = await this.#store.record.window(this.#live.id, this.#seq + 1);
      // What this viewer had not got yet was taken away.
      if (window.trimmed > this.#seq)
        await this.#begin(await this.#reset('trimmed', window.last, DEFAULT_TAIL));
      else await this.#show(window);
    }
  }

  #goLive(): void {
    // What waits to be shown to the others is among the lines that follow.
    this.#live.feed.showPreviews();
    this.#state = 'live';
    const previews = this.#live.previews.lines();
    if (previews.length > 0) this.#sink.write(previewsFrame(this.#live.id, previews));
  }

  async #show({ entries }: Window): Promise<void> {
    const last = entries.at(-1);
    if (last === undefined) return;
    const frame = entriesFrame(this.#live.id, entries);
    if (this.#sink.inflates) await frame.deflate();
    if (this.#state === 'ended') return;
    this.#reach(cursorOn(last));
    this.#sink.write(frame);
  }

  #reach(cursor: Cursor): void {
    this.#seq = cursor.seq;
    this.#cursor = cursor;
  }

  #say(message: HubNote): void {
    if (this.#state !== 'ended') this.#sink.write(noteFrame(message));
  }
}
