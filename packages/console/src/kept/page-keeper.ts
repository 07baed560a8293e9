import type { HubDevice, Session } from 'signalbox/hub';
import {
  type KeptGlance,
  type KeptList,
  type KeptSession,
  MAX_KEPT_ROWS,
  type SessionKeeper,
  tailToKeep,
} from './kept-data.ts';
import { storageOwner } from './own-storage.ts';
import { destroyOtherStores, PageStore } from './page-store.ts';

/** How long what changed waits to be written with what changes next. */
const WRITE_MS = 1000;

/** Keeps what the page shows, so that it is there at once when the page is loaded again. */
export class PageKeeper implements SessionKeeper {
  readonly #owner = storageOwner();
  readonly #store = this.#owner === undefined ? undefined : new PageStore(this.#owner);
  readonly #glances = new Map<string, KeptGlance>();
  /** The last entry of each session that was written. */
  readonly #written = new Map<string, number>();
  /** What is to be written, by what it is. */
  readonly #due = new Map<string, () => Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    const flush = (): void => this.#flush();
    addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', () => document.hidden && flush());
  }

  async list(): Promise<KeptList | undefined> {
    const list = await this.#store?.list();
    for (const [id, glance] of list?.glances ?? []) if (!this.#glances.has(id)) this.#glances.set(id, glance);
    return list;
  }

  async session(id: string): Promise<KeptSession | undefined> {
    return this.#store?.session(id);
  }

  /** What was last known of a session from afar. */
  glance(id: string): KeptGlance | undefined {
    return this.#glances.get(id);
  }

  keepGlance(id: string, { lastLine, costUsd }: KeptGlance): void {
    this.#glances.set(id, { lastLine, costUsd });
  }

  /** `list` is asked when it is written. */
  keepList(list: () => { device: HubDevice | undefined; sessions: readonly Session[] }): void {
    this.#later('list', async () => {
      const { device, sessions } = list();
      if (!device) return;
      const kept = sessions.slice(0, MAX_KEPT_ROWS);
      const ids = new Set(kept.map(({ id }) => id));
      const glances = new Map([...this.#glances].filter(([id]) => ids.has(id)));
      await this.#store?.putList({ device, sessions: kept, glances, savedAt: Date.now() });
    });
  }

  keepSession(id: string, session: () => Omit<KeptSession, 'id' | 'usedAt'> | undefined): void {
    this.#later(`session ${id}`, async () => {
      const now = session();
      const entries = tailToKeep(now?.entries ?? []);
      // What is being written changes every moment, and is told anew to the next page.
      if (!now || entries.length === 0 || this.#written.get(id) === now.cursor.seq) return;
      this.#written.set(id, now.cursor.seq);
      await this.#store?.putSession({ ...now, entries, id, usedAt: Date.now() });
    });
  }

  /** These are all that there are. */
  keepOnly(ids: ReadonlySet<string>): void {
    void this.#store?.keepOnly(ids);
  }

  remove(id: string): void {
    this.#due.delete(`session ${id}`);
    this.#glances.delete(id);
    this.#written.delete(id);
    void this.#store?.remove(id);
  }

  /** Nothing of this sign-in is left in this browser. */
  async destroy(): Promise<void> {
    clearTimeout(this.#timer);
    this.#due.clear();
    await this.#store?.destroy();
  }

  forgetOthers(): void {
    void destroyOtherStores(this.#owner);
  }

  #later(what: string, write: () => Promise<void>): void {
    this.#due.set(what, write);
    this.#timer ??= setTimeout(() => this.#flush(), WRITE_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = [...this.#due.values()];
    this.#due.clear();
    // Another tab has signed out meanwhile: what it has removed must not come back.
    if (storageOwner() !== this.#owner) return;
    for (const write of due) void write();
  }
}
