import type { Cursor, HubNote, MessageCursor, SessionViewer } from '@signalbox/protocol/hub';
import type { Window } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { Subscriber } from './feed.ts';
import type { Frame } from './frame.ts';
import type { LiveSession } from './live-session.ts';
import { entriesFrame, noteFrame, previewsFrame } from './stream-message.ts';

/** How much of the record a viewer without a cursor is shown, unless it says otherwise. */
export const DEFAULT_TAIL = 200;

/** How a subscription reaches its viewer. */
export interface SubscriptionOutlet {
  readonly viewer: SessionViewer;
  /** Whether frames are deflated on their way. */
  readonly inflates: boolean;
  write: (frame: Frame) => void;
  /** Settles when the viewer has taken most of what was written, or is gone. */
  drained: () => Promise<void>;
  /** The record cannot be read any further. */
  fail: (error: unknown) => void;
}

/**
 * A viewer's place in one session. It reads the record until it has caught up with what is shown live, and goes live in
 * the same moment: so nothing falls between the two, and nothing comes twice.
 */
export class Subscription implements Subscriber {
  readonly #live: LiveSession;
  readonly #store: Store;
  readonly #outlet: SubscriptionOutlet;
  #state: 'catching-up' | 'live' | 'ended' = 'catching-up';
  /** The last entry that the viewer was written. */
  #seq = 0;

  get viewer(): SessionViewer {
    return this.#outlet.viewer;
  }

  /** All up to here was written to the viewer. */
  get cursor(): Cursor {
    return { epoch: this.#store.epoch, seq: this.#seq };
  }

  constructor(live: LiveSession, store: Store, outlet: SubscriptionOutlet) {
    this.#live = live;
    this.#store = store;
    this.#outlet = outlet;
  }

  /** Show the rest after a cursor, or the record's tail; settles when the viewer has caught up. */
  async start(cursor: Cursor | MessageCursor | undefined, tail = DEFAULT_TAIL): Promise<void> {
    this.#live.feed.join(this);
    const window = await this.#firstWindow(cursor, tail);
    const first = window.entries[0]?.seq ?? window.last + 1;
    this.#seq = first - 1;
    await this.#snapshot(window.epoch, first, window.last);
    await this.#show(window);
    await this.#catchUp();
  }

  end(): void {
    this.#state = 'ended';
    this.#live.feed.leave(this);
  }

  onEntries(first: number, last: number, frame: Frame): void {
    if (this.#state !== 'live' || last <= this.#seq) return;
    if (first === this.#seq + 1) {
      this.#seq = last;
      this.#outlet.write(frame);
      return;
    }
    // Some of these were read from the record already: the frame for all does not fit.
    this.#state = 'catching-up';
    this.#catchUp().catch(this.#outlet.fail);
  }

  onPreview(frame: Frame): void {
    if (this.#state === 'live') this.#outlet.write(frame);
  }

  onMessage(frame: Frame): void {
    if (this.#state !== 'ended') this.#outlet.write(frame);
  }

  async #firstWindow(cursor: Cursor | MessageCursor | undefined, tail: number): Promise<Window> {
    const { record } = this.#store;
    const { id, feed } = this.#live;
    if (!cursor) return record.tail(id, tail);
    const numbered = 'uuid' in cursor ? await this.#numbered(cursor) : cursor;
    const resumption = numbered
      ? await record.resume(id, numbered)
      : ({ state: 'reset', reason: 'uuid-unknown', epoch: this.#store.epoch, last: feed.last } as const);
    if (resumption.state === 'resumed') return resumption;
    const { reason, epoch, last } = resumption;
    this.#say({ type: 'reset', session: id, reason, epoch, last });
    return record.tail(id, tail);
  }

  async #numbered({ uuid }: MessageCursor): Promise<Cursor | undefined> {
    const seq = await this.#store.record.locate(this.#live.id, uuid);
    return seq === undefined ? undefined : { epoch: this.#store.epoch, seq };
  }

  async #snapshot(epoch: string, first: number, last: number): Promise<void> {
    // Nothing may be awaited after this: what changes later is told as it changes.
    const prompts = await this.#store.inbox.list(this.#live.id);
    const { session, activity } = this.#live;
    const permissions = this.#live.asks.open;
    const { viewers } = this.#live.feed;
    this.#say({ type: 'snapshot', session, epoch, first, last, activity, permissions, prompts, viewers });
  }

  async #catchUp(): Promise<void> {
    while (this.#state === 'catching-up') {
      if (this.#seq >= this.#live.feed.last) return this.#goLive();
      await this.#outlet.drained();
      await this.#show(await this.#store.record.window(this.#live.id, this.#seq + 1));
    }
  }

  #goLive(): void {
    // What waits to be shown to the others is among the lines that follow.
    this.#live.feed.showPreviews();
    this.#state = 'live';
    const previews = this.#live.previews.lines();
    if (previews.length > 0) this.#outlet.write(previewsFrame(this.#live.id, previews));
  }

  async #show({ epoch, entries }: Window): Promise<void> {
    const last = entries.at(-1)?.seq;
    if (last === undefined) return;
    const frame = entriesFrame(this.#live.id, epoch, entries);
    if (this.#outlet.inflates) await frame.deflate();
    if (this.#state === 'ended') return;
    this.#seq = last;
    this.#outlet.write(frame);
  }

  #say(message: HubNote): void {
    if (this.#state !== 'ended') this.#outlet.write(noteFrame(message));
  }
}
