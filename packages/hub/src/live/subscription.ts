import type { Cursor, HubNote } from '@signalbox/protocol/hub';
import type { Window } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { Subscriber } from './feed.ts';
import type { LiveSession } from './live-session.ts';
import { encodeEntries, encodeNote, encodePreviews } from './stream-message.ts';
import { textFrame } from './text-frame.ts';

/** How much of the record a viewer without a cursor is shown, unless it says otherwise. */
export const DEFAULT_TAIL = 200;

/** How a subscription reaches its viewer. */
export interface SubscriptionOutlet {
  write: (frame: Buffer) => void;
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

  constructor(live: LiveSession, store: Store, outlet: SubscriptionOutlet) {
    this.#live = live;
    this.#store = store;
    this.#outlet = outlet;
  }

  /** Show the rest after a cursor, or the record's tail; settles when the viewer has caught up. */
  async start(cursor: Cursor | undefined, tail = DEFAULT_TAIL): Promise<void> {
    this.#live.feed.join(this);
    const window = await this.#firstWindow(cursor, tail);
    const first = window.entries[0]?.seq ?? window.last + 1;
    this.#seq = first - 1;
    await this.#snapshot(window.epoch, first, window.last);
    this.#show(window);
    await this.#catchUp();
  }

  end(): void {
    this.#state = 'ended';
    this.#live.feed.leave(this);
  }

  onEntries(first: number, last: number, frame: Buffer): void {
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

  onPreview(frame: Buffer): void {
    if (this.#state === 'live') this.#outlet.write(frame);
  }

  onMessage(frame: Buffer): void {
    if (this.#state !== 'ended') this.#outlet.write(frame);
  }

  async #firstWindow(cursor: Cursor | undefined, tail: number): Promise<Window> {
    const { record } = this.#store;
    if (!cursor) return record.tail(this.#live.id, tail);
    const resumption = await record.resume(this.#live.id, cursor);
    if (resumption.state === 'resumed') return resumption;
    const { reason, epoch, last } = resumption;
    this.#say({ type: 'reset', session: this.#live.id, reason, epoch, last });
    return record.tail(this.#live.id, tail);
  }

  async #snapshot(epoch: string, first: number, last: number): Promise<void> {
    // Nothing may be awaited after this: what changes later is told as it changes.
    const prompts = await this.#store.inbox.list(this.#live.id);
    const { session, activity } = this.#live;
    const permissions = this.#live.asks.open;
    this.#say({ type: 'snapshot', session, epoch, first, last, activity, permissions, prompts });
  }

  async #catchUp(): Promise<void> {
    while (this.#state === 'catching-up') {
      if (this.#seq >= this.#live.feed.last) return this.#goLive();
      await this.#outlet.drained();
      this.#show(await this.#store.record.window(this.#live.id, this.#seq + 1));
    }
  }

  #goLive(): void {
    this.#state = 'live';
    const previews = this.#live.previews.lines();
    if (previews.length > 0) this.#outlet.write(textFrame(encodePreviews(this.#live.id, previews)));
  }

  #show({ epoch, entries }: Window): void {
    const last = entries.at(-1)?.seq;
    if (this.#state === 'ended' || last === undefined) return;
    this.#seq = last;
    this.#outlet.write(textFrame(encodeEntries(this.#live.id, epoch, entries)));
  }

  #say(message: HubNote): void {
    if (this.#state !== 'ended') this.#outlet.write(textFrame(encodeNote(message)));
  }
}
