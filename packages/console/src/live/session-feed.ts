import type { EntryMessage, Following, HubApi, HubStream } from 'signalbox/hub';
import { SessionModel, type SessionScreen } from '../model/session-model.ts';
import { nextFrame } from './next-frame.ts';

/** How much of the record is read to begin with, and how much with each step from there. */
const TAIL = 200;
const STEP = 500;

/** Which part of the record is on its way. */
export type Loading = 'nothing' | 'earlier' | 'later';

/** Where a page stands with a session. */
export type FeedState =
  | { name: 'opening' }
  | { name: 'open'; screen: SessionScreen; loading: Loading }
  | { name: 'failed'; reason: string };

/** One session on the screen: told at most once a frame, however fast its agent writes. */
export class SessionFeed {
  readonly #api: HubApi;
  readonly #id: string;
  readonly #model = new SessionModel();
  readonly #listeners = new Set<() => void>();
  readonly #following: Following;
  #state: FeedState = { name: 'opening' };
  #loading: Loading = 'nothing';
  #frame: 'none' | 'asked' | 'ended' = 'none';

  constructor(api: HubApi, stream: HubStream, id: string) {
    this.#api = api;
    this.#id = id;
    this.#following = stream.watch(
      id,
      (message) => {
        if (message.type === 'error') this.#state = { name: 'failed', reason: message.message };
        else if (message.type === 'removed') this.#state = { name: 'failed', reason: 'Somebody removed it.' };
        else this.#model.hear(message);
        this.#changed();
      },
      { tail: TAIL },
    );
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): FeedState => this.#state;

  /** Read the part of the record before the oldest entry that is here. */
  readonly loadEarlier = (): Promise<void> =>
    this.#load('earlier', async () => {
      const { first: before } = this.#model.place;
      if (before > 1) this.#model.prepend(await this.#read({ before }));
    });

  /** Read the part of the record after the newest entry that is here. */
  readonly loadLater = (): Promise<void> =>
    this.#load('later', async () => {
      const { end: from, next } = this.#model.place;
      if (from < next) this.#model.append(await this.#read({ from }));
    });

  /** Read the end of the record, wherever the reader is. */
  readonly loadEnd = (): Promise<void> =>
    this.#load('later', async () => {
      const { end, next: before } = this.#model.place;
      if (end < before) this.#model.moveTo(await this.#read({ before }));
    });

  /** Whether the reader is further up than the end. */
  readonly setReading = (isReading: boolean): void => {
    this.#model.isReading = isReading;
  };

  end(): void {
    this.#frame = 'ended';
    this.#following.end();
  }

  async #load(loading: Loading, work: () => Promise<void>): Promise<void> {
    if (this.#loading !== 'nothing') return;
    this.#loading = loading;
    this.#changed();
    try {
      await work();
    } finally {
      this.#loading = 'nothing';
      this.#changed();
    }
  }

  async #read(window: { from?: number; before?: number }): Promise<EntryMessage[]> {
    const { entries } = await this.#api.events(this.#id, { ...window, limit: STEP });
    return entries;
  }

  #changed(): void {
    if (this.#frame !== 'none') return;
    this.#frame = 'asked';
    nextFrame(() => this.#show());
  }

  #show(): void {
    if (this.#frame === 'ended') return;
    this.#frame = 'none';
    const { screen } = this.#model;
    if (screen && this.#state.name !== 'failed')
      this.#state = { name: 'open', screen, loading: this.#loading };
    for (const listener of this.#listeners) listener();
  }
}
