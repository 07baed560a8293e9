import {
  HubApi,
  type HubDevice,
  HubRefusedError,
  HubStream,
  type HubStreamState,
  type Session,
} from 'signalbox/hub';
import { inOrder } from '../model/session-order.ts';
import { nextFrame } from './next-frame.ts';
import { SessionFeed } from './session-feed.ts';

/** The hub at one moment, as the page knows it. */
export interface HubView {
  /** `signed-out`: the browser has no token, or one that is not good any more. */
  state: 'loading' | 'signed-out' | 'unreachable' | 'ready';
  connection: HubStreamState;
  device: HubDevice | undefined;
  sessions: readonly Session[];
}

const PAGE = 100;

/** The hub that served the page: who is signed in, its sessions, and the way to follow one of them. */
export class ConsoleHub {
  readonly api = new HubApi();
  readonly stream: HubStream;
  readonly #sessions = new Map<string, Session>();
  readonly #listeners = new Set<() => void>();
  #view: HubView = { state: 'loading', connection: 'connecting', device: undefined, sessions: [] };
  #frame: 'none' | 'asked' = 'none';

  constructor() {
    this.stream = new HubStream({ onState: (connection) => this.#connectionIs(connection) });
    this.stream.watchSessions((session) => this.#put(session));
    document.addEventListener('visibilitychange', () => this.stream.wake());
    window.addEventListener('online', () => this.stream.wake());
    void this.load();
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): HubView => this.#view;

  /** Ask who we are and what there is. */
  async load(): Promise<void> {
    try {
      const device = await this.api.me();
      let after: string | undefined;
      do {
        const page = await this.api.sessions({ limit: PAGE, ...(after === undefined ? {} : { after }) });
        for (const session of page.items) this.#put(session);
        after = page.next;
      } while (after !== undefined);
      this.#learn({ state: 'ready', device });
    } catch (error) {
      const isRefused = error instanceof HubRefusedError && error.status === 401;
      this.#learn({ state: isRefused ? 'signed-out' : 'unreachable' });
    }
  }

  feed(session: string): SessionFeed {
    return new SessionFeed(this.api, this.stream, session);
  }

  /** The session is known from now on, before the stream tells of it. */
  add(session: Session): void {
    this.#put(session);
  }

  #put(session: Session): void {
    const known = this.#sessions.get(session.id);
    if (known && known.updatedAt > session.updatedAt) return;
    this.#sessions.set(session.id, session);
    if (this.#frame === 'asked') return;
    this.#frame = 'asked';
    nextFrame(() => {
      this.#frame = 'none';
      this.#learn({ sessions: inOrder(this.#sessions.values()) });
    });
  }

  #connectionIs(connection: HubStreamState): void {
    const isSignedOut = connection === 'refused';
    if (connection === 'open' && this.#view.state === 'unreachable') void this.load();
    this.#learn({ connection, ...(isSignedOut ? { state: 'signed-out' } : {}) });
  }

  #learn(news: Partial<HubView>): void {
    this.#view = { ...this.#view, ...news };
    for (const listener of this.#listeners) listener();
  }
}
