import { BROWSER_BEARER } from '@signalbox/protocol/hub';
import {
  everyPage,
  type HubAddress,
  HubApi,
  type HubDevice,
  HubRefusedError,
  HubStream,
  type HubStreamState,
  type Session,
} from 'signalbox/hub';
import { inOrder } from '../model/session-order.ts';
import { KnownSessions } from './known-sessions.ts';
import { LoopFeed } from './loop-feed.ts';
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
  /** Where it is and who asks, for connections of their own. */
  readonly address: HubAddress;
  readonly api: HubApi;
  readonly stream: HubStream;
  readonly loops: LoopFeed;
  readonly #sessions = new KnownSessions();
  readonly #listeners = new Set<() => void>();
  #view: HubView = { state: 'loading', connection: 'connecting', device: undefined, sessions: [] };
  #frame: 'none' | 'asked' = 'none';

  constructor() {
    const token = localStorage.getItem(BROWSER_BEARER);
    const address = token === null ? {} : { token };
    this.address = address;
    this.api = new HubApi(address);
    this.stream = new HubStream({ ...address, onState: (connection) => this.#connectionIs(connection) });
    this.stream.watchSessions(
      (session) => {
        this.#sessions.put(session);
        this.#changed();
      },
      (id) => {
        this.#sessions.forget(id);
        this.#changed();
      },
      // What came or went before the hub began to tell is in its list alone.
      () => void this.load(),
    );
    this.loops = new LoopFeed(this.api, this.stream);
    const wake = (): void => this.stream.wake();
    // A page behind others keeps nobody from being called.
    const look = (): void => this.stream.look(!document.hidden);
    look();
    document.addEventListener('visibilitychange', () => {
      look();
      if (!document.hidden) wake();
    });
    // A browser that says `offline` may still reach a hub of its own machine: that is looked at, not believed.
    for (const change of ['online', 'offline']) window.addEventListener(change, wake);
    // Another tab has signed this browser in or out: what this one shows would be refused from now on.
    window.addEventListener('storage', ({ key }) => key === BROWSER_BEARER && location.reload());
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
      // Each page is shown as it comes, the first with who we are: a view that knew nobody yet would take the first that changes
      // for the first of all.
      await this.#sessions.read(
        everyPage((from) => this.api.sessions({ limit: PAGE, ...from })),
        () => this.#learn({ state: 'ready', device, sessions: inOrder(this.#sessions.all) }),
      );
      // A device that is held to one session sees no loops.
      this.loops.load().catch(() => {});
      this.#learn({ state: 'ready', device, sessions: inOrder(this.#sessions.all) });
    } catch (error) {
      const isRefused = error instanceof HubRefusedError && error.status === 401;
      if (isRefused) this.#learn({ state: 'signed-out' });
      else if (this.#view.state !== 'ready') this.#learn({ state: 'unreachable' });
    }
  }

  /** The hub forgets this browser, and this browser the hub. */
  async signOut(): Promise<void> {
    // A hub that cannot be told keeps a token of which one part is gone.
    await this.api.signOut().catch(() => {});
    localStorage.removeItem(BROWSER_BEARER);
    this.#learn({ state: 'signed-out' });
  }

  feed(session: string): SessionFeed {
    return new SessionFeed(this.api, this.stream, session);
  }

  /** The session is known from now on, before the stream tells of it. */
  add(session: Session): void {
    this.#sessions.putNew(session);
    this.#changed();
  }

  /** The session is forgotten with all that was said in it, before the stream tells of it. */
  async remove(id: string): Promise<void> {
    await this.api.remove(id);
    this.#sessions.forget(id);
    this.#learn({ sessions: inOrder(this.#sessions.all) });
  }

  #changed(): void {
    if (this.#frame === 'asked') return;
    this.#frame = 'asked';
    nextFrame(() => {
      this.#frame = 'none';
      this.#learn({ sessions: inOrder(this.#sessions.all) });
    });
  }

  #connectionIs(connection: HubStreamState): void {
    const isSignedOut = connection === 'refused';
    this.#learn({ connection, ...(isSignedOut ? { state: 'signed-out' } : {}) });
  }

  #learn(news: Partial<HubView>): void {
    this.#view = { ...this.#view, ...news };
    for (const listener of this.#listeners) listener();
  }
}
