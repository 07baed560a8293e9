import type { RecordOutline } from '@signalbox/protocol/hub';
import type { EntryMessage, Following, HubApi, HubStream, StreamMessage } from 'signalbox/hub';
import { type KeptSession, MAX_TAIL_ENTRIES, type SessionKeeper } from '../kept/kept-data.ts';
import { SessionModel, type SessionScreen } from '../model/session-model.ts';
import { t } from '../words/t.ts';
import { nextFrame } from './next-frame.ts';

/** How much of the record is read to begin with, and how much with each step from there. */
const TAIL = MAX_TAIL_ENTRIES;
const STEP = 500;

/** Who follows the end of a record and is further behind than this reads that end, and not all that is before it. */
const FAR_BEHIND = 1000;

/** Which part of the record is on its way. */
export type Loading = 'nothing' | 'earlier' | 'later';

/** Where a page stands with a session. */
export type FeedState =
  | { name: 'opening' }
  | {
      name: 'open';
      screen: SessionScreen;
      loading: Loading;
      /** Why the hub does not go on with it now; empty while it does. */
      problem: string;
    }
  | { name: 'failed'; reason: string };

/** One session on the screen: told at most once a frame, however fast its agent writes. */
export class SessionFeed {
  readonly #api: HubApi;
  readonly #id: string;
  readonly #model = new SessionModel();
  readonly #listeners = new Set<() => void>();
  readonly #stream: HubStream;
  readonly #keeper: SessionKeeper;
  /** Undefined until it is known whether this browser kept something to go on from. */
  #following: Following | undefined;
  #state: FeedState = { name: 'opening' };
  #loading: Loading = 'nothing';
  /** Why the hub refused to go on; empty while it does. */
  #problem = '';
  #isRemoved = false;
  /** Ends with what is on its way. */
  #atWork: Promise<void> = Promise.resolve();
  #frame: 'none' | 'asked' | 'ended' = 'none';

  constructor(api: HubApi, stream: HubStream, keeper: SessionKeeper, id: string) {
    this.#api = api;
    this.#stream = stream;
    this.#keeper = keeper;
    this.#id = id;
    void this.#begin();
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
      const { place } = this.#model;
      if (place.first > 1) this.#model.prepend(await this.#read({ before: place.first }), place);
    });

  /** Read the part of the record after the newest entry that is here. */
  readonly loadLater = (): Promise<void> =>
    this.#load('later', async () => {
      const { place } = this.#model;
      if (place.end < place.next) this.#model.append(await this.#read({ from: place.end }), place);
    });

  /** Read the end of the record, wherever the reader is. */
  readonly loadEnd = (): Promise<void> =>
    this.#load('later', async () => {
      const { place } = this.#model;
      if (place.end < place.next) this.#model.moveTo(await this.#read({ before: place.next }), place);
    });

  /** Read the part of the record around an entry, wherever the reader is; the end of it where there is no such entry yet. */
  readonly loadAround = async (seq: number): Promise<void> => {
    // Somebody wants to go there, whatever is on its way, or is asked for in the same moment.
    do await this.#atWork;
    while (this.#loading !== 'nothing');
    await this.#load('earlier', async () => {
      const { place } = this.#model;
      if (seq >= place.first && seq < place.end) return;
      const from = Math.max(1, Math.min(seq, place.next) - STEP / 2);
      this.#model.moveTo(await this.#read({ from }), place);
    });
  };

  /** Where the turns of the record begin, and with which words. */
  readonly outline = (): Promise<RecordOutline> =>
    this.#api.ask('GET /api/sessions/{session}/outline', { params: { session: this.#id } });

  /** Whether the reader is further up than the end. */
  readonly setReading = (isReading: boolean): void => {
    this.#model.isReading = isReading;
  };

  end(): void {
    this.#frame = 'ended';
    this.#following?.end();
  }

  /** Show what this browser kept, and go on from there. */
  async #begin(): Promise<void> {
    const kept = await this.#keeper.session(this.#id);
    if (this.#frame === 'ended') return;
    if (kept) {
      this.#model.restore(kept);
      this.#changed();
    }
    this.#follow(kept);
  }

  #follow(kept?: KeptSession): void {
    const from = kept ? { cursor: kept.cursor } : {};
    this.#following = this.#stream.watch(this.#id, (message) => this.#hear(message), { ...from, tail: TAIL });
  }

  /** What the hub cannot go on with now it may go on with after its next start: only a removal, or a reset, takes what is here. */
  #hear(message: StreamMessage): void {
    // The rows that are here stay until the first entry of that end has come.
    if (message.type === 'snapshot' && this.#isFarBehind(message)) return this.#follow();
    if (message.type === 'error') this.#problem = t.problems.said(message.code, message.message);
    else if (message.type === 'removed') this.#removed();
    else this.#model.hear(message);
    // Another of its name may have been made since.
    if (message.type === 'snapshot') [this.#problem, this.#isRemoved] = ['', false];
    this.#changed();
  }

  #removed(): void {
    this.#isRemoved = true;
    this.#keeper.remove(this.#id);
  }

  #isFarBehind({ first, last }: Extract<StreamMessage, { type: 'snapshot' }>): boolean {
    return !this.#model.isReading && last - first >= FAR_BEHIND;
  }

  /** What the next page begins with; undefined where the end of the record is not here. */
  #kept(): Omit<KeptSession, 'id' | 'usedAt'> | undefined {
    const cursor = this.#following?.cursor;
    const { screen, tail } = this.#model;
    if (!screen || !cursor || screen.keptAt !== undefined || tail.at(-1)?.seq !== cursor.seq)
      return undefined;
    return { session: screen.session, entries: tail, cursor, trimmed: screen.trimmed };
  }

  async #load(loading: Loading, work: () => Promise<void>): Promise<void> {
    if (this.#loading !== 'nothing') return;
    this.#loading = loading;
    this.#changed();
    const done = work().finally(() => {
      this.#loading = 'nothing';
      this.#changed();
    });
    this.#atWork = done.catch(() => {});
    await done;
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
    if (this.#isRemoved) this.#state = { name: 'failed', reason: t.sessions.gone };
    else if (screen) this.#state = { name: 'open', screen, loading: this.#loading, problem: this.#problem };
    else if (this.#problem !== '') this.#state = { name: 'failed', reason: this.#problem };
    if (this.#state.name === 'open') this.#keeper.keepSession(this.#id, () => this.#kept());
    for (const listener of this.#listeners) listener();
  }
}
