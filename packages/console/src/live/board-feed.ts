import type { Following, HubStream, PermissionRequest, Session } from 'signalbox/hub';
import type { PageKeeper } from '../kept/page-keeper.ts';
import { type Glance, SessionGlance } from '../model/session-glance.ts';
import { nextFrame } from './next-frame.ts';

/** As many agents are looked at as fit on a few screens; the others show what the list knows. */
const MAX_WATCHED = 40;

/** What is read of each: enough for what it does and its last words. */
const TAIL = 30;

/** What can be seen from afar, by session. */
export interface BoardView {
  glances: ReadonlyMap<string, Glance>;
  /** What all agents ask, oldest first. */
  asks: readonly PermissionRequest[];
  /** Whether every agent that asked when somebody came has told what: before that, the oldest question is not known. */
  isRead: boolean;
  /** What was answered since somebody looks, the newest first. */
  answered: readonly PermissionRequest[];
}

/** Many sessions at a glance: told at most once a frame. */
export class BoardFeed {
  readonly #stream: HubStream;
  readonly #keeper: PageKeeper;
  readonly #watched = new Map<string, { following: Following; glance: SessionGlance; isHeard: boolean }>();
  readonly #listeners = new Set<() => void>();
  #view: BoardView = { glances: new Map(), asks: [], isRead: false, answered: [] };
  /** Those that asked when they were last listed; undefined before the hub has listed any. */
  #asking: readonly string[] | undefined;
  #frame: 'none' | 'asked' | 'ended' = 'none';

  constructor(stream: HubStream, keeper: PageKeeper) {
    this.#stream = stream;
    this.#keeper = keeper;
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): BoardView => this.#view;

  /** Look at these, as far as they have an agent. Which of them ask is known of the hub's list alone: what the browser kept is older. */
  follow(sessions: readonly Session[], isListed: boolean): void {
    if (this.#frame === 'ended') return;
    const wanted = new Set(
      sessions
        .filter(({ state }) => state !== 'exited')
        .slice(0, MAX_WATCHED)
        .map(({ id }) => id),
    );
    for (const [id, { following }] of this.#watched) {
      if (wanted.has(id)) continue;
      following.end();
      this.#watched.delete(id);
      this.#changed();
    }
    for (const id of wanted) if (!this.#watched.has(id)) this.#watch(id);
    if (!isListed) return;
    this.#asking = sessions
      .filter(({ id, state }) => state === 'asking' && wanted.has(id))
      .map(({ id }) => id);
    if (!this.#view.isRead) this.#changed();
  }

  end(): void {
    this.#frame = 'ended';
    for (const { following } of this.#watched.values()) following.end();
    this.#watched.clear();
  }

  #watch(id: string): void {
    const glance = new SessionGlance(this.#keeper.glance(id));
    const watched = { glance, isHeard: false };
    const following = this.#stream.watch(
      id,
      (message) => {
        watched.isHeard = true;
        // One that cannot be watched any more shows what the list knows.
        if (message.type !== 'error' && message.type !== 'removed') glance.hear(message);
        this.#changed();
      },
      { tail: TAIL },
    );
    this.#watched.set(id, Object.assign(watched, { following }));
    this.#changed();
  }

  #isRead(): boolean {
    return this.#asking?.every((id) => this.#watched.get(id)?.isHeard) ?? false;
  }

  #changed(): void {
    if (this.#frame !== 'none') return;
    this.#frame = 'asked';
    nextFrame(() => {
      if (this.#frame === 'ended') return;
      this.#frame = 'none';
      const glances = new Map([...this.#watched].map(([id, { glance }]) => [id, glance.glance]));
      for (const [id, glance] of glances) this.#keeper.keepGlance(id, glance);
      const asks = [...glances.values()].flatMap((glance) => glance.asks);
      const answered = [...glances.values()].flatMap((glance) => glance.answered);
      this.#view = {
        glances,
        isRead: this.#view.isRead || this.#isRead(),
        asks: asks.toSorted((a, b) => a.openedAt - b.openedAt),
        answered: answered.toSorted((a, b) => (b.closedAt ?? 0) - (a.closedAt ?? 0)),
      };
      for (const listener of this.#listeners) listener();
    });
  }
}
