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
import { forgetOthers, forgetOwn } from '../kept/own-storage.ts';
import { PageKeeper } from '../kept/page-keeper.ts';
import { inOrder } from '../model/session-order.ts';
import { isOutdated } from './is-outdated.ts';
import { KnownSessions } from './known-sessions.ts';
import { LoopFeed } from './loop-feed.ts';
import { News } from './news.ts';
import { nextFrame } from './next-frame.ts';
import { Outbox } from './outbox.ts';
import { SessionFeed } from './session-feed.ts';
import { onWake } from './wake.ts';

/** The hub at one moment, as the page knows it. */
export interface HubView {
  /** `signed-out`: the browser has no token, or one that is not good any more. */
  state: 'loading' | 'signed-out' | 'unreachable' | 'ready';
  connection: HubStreamState;
  /** When what is shown was seen, as long as it is what the browser kept; undefined once the hub has told how it is now. */
  keptAt: number | undefined;
  /** The hub serves another version of the page by now. */
  isOutdated: boolean;
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
  readonly outbox: Outbox;
  readonly keeper = new PageKeeper();
  /** Tells pages that read the hub once when to read it again. */
  readonly news = new News();
  readonly #listeners = new Set<() => void>();
  #view: HubView = {
    state: 'loading',
    connection: 'connecting',
    keptAt: undefined,
    isOutdated: false,
    device: undefined,
    sessions: [],
  };
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
        this.#forget(id);
        this.#changed();
      },
      // What came or went before the hub began to tell is in its list alone.
      () => {
        void this.load();
        this.news.tell();
        void this.#lookForUpdate();
      },
    );
    this.loops = new LoopFeed(this.api, this.stream);
    this.outbox = new Outbox(this.stream);
    // A page behind others keeps nobody from being called.
    const look = (): void => this.stream.look(!document.hidden);
    look();
    document.addEventListener('visibilitychange', look);
    onWake(() => {
      this.stream.wake();
      // Where there is no connection, its return is what is told.
      if (this.#view.connection === 'open') this.news.tell();
    });
    // Another tab has signed this browser in or out: what this one shows would be refused from now on.
    window.addEventListener('storage', ({ key }) => key === BROWSER_BEARER && location.reload());
    forgetOthers();
    this.keeper.forgetOthers();
    void this.#recall();
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
      const isNewest = await this.#sessions.read(
        everyPage((from) => this.api.sessions({ limit: PAGE, ...from })),
        () => this.#learn({ state: 'ready', device, sessions: inOrder(this.#sessions.all) }),
      );
      if (!isNewest) return;
      // A device that is held to one session sees no loops.
      this.loops.load().catch(() => {});
      this.keeper.keepOnly(new Set(Array.from(this.#sessions.all, ({ id }) => id)));
      this.#learn({ state: 'ready', keptAt: undefined, device, sessions: inOrder(this.#sessions.all) });
      this.#keep();
    } catch (error) {
      if (this.#isRefusal(error)) return;
      if (this.#view.state !== 'ready') this.#learn({ state: 'unreachable' });
    }
  }

  /** The hub forgets this browser, and this browser the hub. */
  async signOut(): Promise<void> {
    // A hub that cannot be told keeps a token of which one part is gone.
    await this.api.signOut().catch(() => {});
    localStorage.removeItem(BROWSER_BEARER);
    this.#forgetPerson();
    this.#learn({ state: 'signed-out' });
  }

  feed(session: string): SessionFeed {
    return new SessionFeed(this.api, this.stream, this.keeper, session);
  }

  /** The session is known from now on, before the stream tells of it. */
  add(session: Session): void {
    this.#sessions.putNew(session);
    this.#changed();
  }

  /** The session is forgotten with all that was said in it, before the stream tells of it. */
  async remove(id: string): Promise<void> {
    await this.api.remove(id);
    this.#forget(id);
    this.#learn({ sessions: inOrder(this.#sessions.all) });
  }

  /** Show what this browser kept, unless the hub was faster. */
  async #recall(): Promise<void> {
    const list = await this.keeper.list();
    if (!list || (this.#view.state !== 'loading' && this.#view.state !== 'unreachable')) return;
    for (const session of list.sessions) this.#sessions.recall(session);
    const sessions = inOrder(this.#sessions.all);
    this.#learn({ state: 'ready', keptAt: list.savedAt, device: list.device, sessions });
  }

  /** A hub that comes back may be of another version. */
  async #lookForUpdate(): Promise<void> {
    if (this.#view.state === 'ready' && (await isOutdated())) this.#learn({ isOutdated: true });
  }

  /** Whether the token is not good any more. */
  #isRefusal(error: unknown): boolean {
    if (!(error instanceof HubRefusedError) || error.status !== 401) return false;
    // A proxy in front of the hub has reasons of its own, and they pass.
    if (error.reason === 'UNAUTHENTICATED') this.#forgetPerson();
    this.#learn({ state: 'signed-out' });
    return true;
  }

  /** Whoever uses this browser next must not read what was seen with this token. */
  #forgetPerson(): void {
    forgetOwn();
    void this.keeper.destroy();
    this.#sessions.clear();
    this.#learn({ keptAt: undefined, device: undefined, sessions: [] });
  }

  #keep(): void {
    if (this.#view.state === 'ready') this.keeper.keepList(() => this.#view);
  }

  #forget(id: string): void {
    this.#sessions.forget(id);
    this.keeper.remove(id);
  }

  #changed(): void {
    if (this.#frame === 'asked') return;
    this.#frame = 'asked';
    nextFrame(() => {
      this.#frame = 'none';
      if (this.#view.state === 'signed-out') return;
      this.#learn({ sessions: inOrder(this.#sessions.all) });
      if (this.#view.keptAt === undefined) this.#keep();
      this.news.tellSoon();
    });
  }

  #connectionIs(connection: HubStreamState): void {
    const isRefused = connection === 'refused';
    this.#learn({ connection, ...(isRefused ? { state: 'signed-out' } : {}) });
    // The stream does not say why.
    if (isRefused) this.api.me().catch((error: unknown) => this.#isRefusal(error));
  }

  #learn(news: Partial<HubView>): void {
    this.#view = { ...this.#view, ...news };
    for (const listener of this.#listeners) listener();
  }
}
