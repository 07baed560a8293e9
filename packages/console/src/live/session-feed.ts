import type { EntryMessage, Following, HubApi, HubStream } from 'signalbox/hub';
import { SessionModel, type SessionScreen } from '../model/session-model.ts';
import { nextFrame } from './next-frame.ts';

/** How much of the record is read at once. */
const WINDOW = 200;

/** Where a page stands with a session. */
export type FeedState =
  | { name: 'opening' }
  | { name: 'open'; screen: SessionScreen; earlier: 'here' | 'loading' }
  | { name: 'failed'; reason: string };

/** One session on the screen: told at most once a frame, however fast its agent writes. */
export class SessionFeed {
  readonly #api: HubApi;
  readonly #id: string;
  readonly #model = new SessionModel();
  readonly #listeners = new Set<() => void>();
  readonly #following: Following;
  #state: FeedState = { name: 'opening' };
  #earlier: 'here' | 'loading' = 'here';
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
      { tail: WINDOW },
    );
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): FeedState => this.#state;

  /** Read the part of the record before the oldest entry that is here. */
  readonly loadEarlier = async (): Promise<void> => {
    if (this.#earlier === 'loading' || !this.#model.screen?.hasEarlier) return;
    this.#earlier = 'loading';
    this.#changed();
    try {
      const before = this.#model.first;
      const { entries } = await this.#api.events(this.#id, { before, limit: WINDOW });
      this.#model.prepend(entries satisfies EntryMessage[]);
    } finally {
      this.#earlier = 'here';
      this.#changed();
    }
  };

  end(): void {
    this.#frame = 'ended';
    this.#following.end();
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
      this.#state = { name: 'open', screen, earlier: this.#earlier };
    for (const listener of this.#listeners) listener();
  }
}
