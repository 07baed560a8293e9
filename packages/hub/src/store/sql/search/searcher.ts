import { setImmediate } from 'node:timers/promises';
import type { OutlinePart, RecordOutline, SearchQuery } from '@signalbox/protocol/hub';
import type { FoundPage } from '../../search.ts';
import { StoreClosedError } from '../../store-errors.ts';

/** How long after a commit it is indexed: what comes meanwhile is indexed with it. */
const DELAY_MS = 200;

/** While commits come, indexing rests so many times as long as it works. */
const REST_FACTOR = 9;

/** How long a search waits for what is not indexed yet; then it says that there may be more. */
const PATIENCE_MS = 2000;

/** An index of what was said. */
export interface SaidIndex {
  /** Bring it to all that is durable now; `pause` is called after each slice of the work. */
  catchUp(pause: () => Promise<void>): Promise<void>;
  find(query: SearchQuery): Promise<Omit<FoundPage, 'isComplete'>>;
  outline(session: string): Promise<OutlinePart[]>;
  /** Begin anew if an error means that it is damaged; says whether it does. */
  mend(error: unknown): boolean;
  close(): Promise<void>;
}

/** What a {@link Searcher} works with. */
export interface SearcherParts {
  index: SaidIndex;
  /** Called when all that was recorded is indexed. */
  onIdle?: () => void;
}

interface Waiter {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Keeps an index at what is recorded, a little at a time and behind the commits, and finds in it. */
export class Searcher {
  readonly #index: SaidIndex;
  readonly #onIdle: () => void;
  #work: Promise<void> | undefined;
  /** Those who wait for a round that begins after they came. */
  #waiters: Waiter[] = [];
  /** Searches that wait for the index, and have not lost patience. */
  #hurry = 0;
  #isMore = false;
  /** Whether something was committed since the last slice. */
  #isBusy = false;
  #sliceStart = 0;
  #wake = (): void => {};
  #isClosed = false;

  constructor({ index, onIdle = () => {} }: SearcherParts) {
    this.#index = index;
    this.#onIdle = onIdle;
  }

  /** Something was committed. */
  noteCommit(): void {
    this.#isBusy = true;
    this.#isMore = true;
    this.#work ??= this.#run();
  }

  /** Find in all that was committed before; `isComplete` is false when that took too long to index. */
  async find(query: SearchQuery): Promise<FoundPage> {
    const { found, isComplete } = await this.#look(() => this.#index.find(query));
    return { ...found, isComplete };
  }

  /** The turns of all that was committed before, with the same `isComplete`. */
  async outline(session: string): Promise<RecordOutline> {
    const { found, isComplete } = await this.#look(() => this.#index.outline(session));
    return { items: found, isComplete };
  }

  /** Ends after the slice that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.#work;
    await this.#index.close();
  }

  async #look<Found>(look: () => Promise<Found>): Promise<{ found: Found; isComplete: boolean }> {
    const isComplete = await this.#getReady();
    try {
      return { found: await look(), isComplete };
    } catch (error) {
      if (!this.#index.mend(error)) throw error;
    }
    return { found: await look(), isComplete: await this.#getReady() };
  }

  /** Whether the index has all that was committed before. */
  async #getReady(): Promise<boolean> {
    const indexed = new Promise<void>((resolve, reject) => this.#waiters.push({ resolve, reject }));
    this.#hurry += 1;
    this.#wake();
    this.#work ??= this.#run();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE_MS);
    });
    try {
      return await Promise.race([indexed.then(() => true), patience]);
    } finally {
      clearTimeout(timer);
      this.#hurry -= 1;
    }
  }

  async #run(): Promise<void> {
    do {
      await this.#sleep(DELAY_MS);
      const waiters = this.#waiters;
      this.#waiters = [];
      this.#isMore = false;
      this.#sliceStart = performance.now();
      try {
        await this.#index.catchUp(() => this.#pause());
        for (const { resolve } of waiters) resolve();
      } catch (error) {
        // Of a full disk, or a store that is closed, those hear who wait; the next commit tries again.
        for (const { reject } of waiters) reject(error);
      }
    } while ((this.#isMore || this.#waiters.length > 0) && !this.#isClosed);
    this.#work = undefined;
    this.#onIdle();
  }

  /** Between two slices: while commits come, most of the time is theirs. */
  async #pause(): Promise<void> {
    const worked = performance.now() - this.#sliceStart;
    if (this.#isBusy) await this.#sleep(worked * REST_FACTOR);
    // Messages are heard here.
    await setImmediate();
    if (this.#isClosed) throw new StoreClosedError();
    this.#isBusy = false;
    this.#sliceStart = performance.now();
  }

  /** Not while somebody waits for the index. */
  async #sleep(ms: number): Promise<void> {
    if (this.#hurry > 0 || this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
