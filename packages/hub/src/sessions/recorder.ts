import { setTimeout as pause } from 'node:timers/promises';
import { SignalboxError, type WireLine } from '@signalbox/protocol';
import type { Author } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { Holds } from '../base/holds.ts';
import { turns } from '../base/turns.ts';
import { type Change, joinChanges } from '../store/change.ts';
import type { Append, Appended, NewLine, RecordedLine } from '../store/record.ts';
import type { LineSpend } from '../store/spend.ts';
import type { Store } from '../store/store.ts';

/** What may wait to become durable before the agent is read no further. */
export const MAX_UNRECORDED_BYTES = 1024 * 1024;

/** What an item costs beside its bytes: many that are short must not pass the limit a hundredfold. */
const ITEM_OVERHEAD_BYTES = 128;

/**
 * What one commit may have beside its lines, in rows of the store: nobody else is answered while it is carried out, however short the
 * lines are that led to it. A question has about so many, with the notices that tell of it.
 */
const MAX_ROWS_AT_ONCE = 512;
const ROWS_OF_A_CHANGE = 32;

/** Previews alone are worth no commit: how far the link has got with them is kept after this long. */
const POSITION_DELAY_MS = 1000;

/** How many lines are shown before others may have their turn: some take long to understand. */
const LINES_AT_ONCE = 256;

/** How long a store that cannot take lines is left alone; nothing is lost meanwhile: agents wait, people are told. */
const RETRY_MS = 1000;

const PASSING_TROUBLE = new Set([
  'STORE_FULL',
  'STORE_BUSY',
  'STORE_FAILED',
  'STORE_READ_ONLY',
  'STORE_UNREACHABLE',
]);

const AGENT: Author = { by: 'agent' };

/** Something said in a session, on its way to those who watch. */
type Item = {
  line: WireLine | undefined;
  author: Author;
  time: number;
  position: LinkPosition | undefined;
  isPreview: boolean;
  /** What is stored in the same commit as the line; asked for with every attempt. */
  change: MakeChange | undefined;
  /** The request that the line is the answer to: it is kept only when this is the first one. */
  answers: string | undefined;
  /** What it has cost. */
  spend: LineSpend | undefined;
  onShown: ((error?: unknown) => void) | undefined;
};

/** Says what has to be stored with a line, as things are when it is stored; undefined when nothing has. */
export type MakeChange = () => Change | undefined;

/** Callbacks of a {@link Recorder}, called in the order in which things were said. */
export interface RecorderCallbacks {
  /** Lines that are durable from now on, in their order and next to each other. */
  onRecorded: (entries: readonly RecordedLine[]) => void;
  onPreview: (line: WireLine) => void;
  /** Whether a reply is being written. Its link keeps it until it is whole: after a restart the hub has only what it gets again. */
  isReplyOpen: () => boolean;
  /** All up to here may be acknowledged. */
  onSafe: (position: LinkPosition) => void;
  /** The store cannot take lines for now. */
  onTrouble: (error: unknown) => void;
}

/** Brings what is said in a session into its record: nothing is shown before it is durable, and nothing out of order. */
export class Recorder {
  readonly #store: Store;
  readonly #session: string;
  readonly #holds: Holds;
  readonly #callbacks: RecorderCallbacks;
  #waiting: Item[] = [];
  #waitingBytes = 0;
  /** What the store is about to have. */
  #storingBytes = 0;
  #unkept: LinkPosition | undefined;
  #positionTimer: { end: () => void } | undefined;
  #work: Promise<void> | undefined;
  #room: (() => void)[] = [];
  #failure: { error: unknown } | undefined;
  #trouble: SignalboxError | undefined;

  constructor(store: Store, session: string, holds: Holds, callbacks: RecorderCallbacks) {
    this.#store = store;
    this.#session = session;
    this.#holds = holds;
    this.#callbacks = callbacks;
  }

  /**
   * A line of the agent. Gives what to wait for before the next one, which rejects once the record cannot go on;
   * undefined while there is room: a promise each is what a flood would cost most.
   */
  heard(
    line: WireLine,
    position?: LinkPosition,
    change?: MakeChange,
    spend?: LineSpend,
  ): Promise<void> | undefined {
    this.#add(fromAgent(line, position, 'kept', change, spend));
    return this.#roomForMore();
  }

  /** A line of the agent that is shown and not kept. */
  preview(line: WireLine | undefined, position?: LinkPosition): Promise<void> | undefined {
    this.#add(fromAgent(line, position, 'preview'));
    return this.#roomForMore();
  }

  /** Why the store cannot take lines at the moment; undefined while it can. */
  get trouble(): SignalboxError | undefined {
    return this.#trouble;
  }

  /** True if nothing can be stored any more. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * A line of a person or of the hub. Settles when it is durable and was shown; one of a person is refused while the
   * store cannot take it, and nothing of it is stored then.
   */
  said(
    author: Author,
    line: WireLine,
    {
      change,
      answers,
      spend,
    }: { change?: MakeChange | undefined; answers?: string; spend?: LineSpend | undefined } = {},
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const onShown = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
      const time = Date.now();
      const own = { position: undefined, isPreview: false, change, answers, spend };
      this.#add({ line, author, time, ...own, onShown });
    });
  }

  /** Settles when everything that was said has become durable, or never will. */
  async settled(): Promise<void> {
    this.#positionTimer?.end();
    if (this.#unkept) this.#keepPosition();
    while (this.#work) await this.#work;
  }

  #add(item: Item): void {
    const refusal = this.#failure?.error ?? (isOfPerson(item) ? this.#trouble : undefined);
    if (refusal !== undefined) {
      item.onShown?.(refusal);
      return;
    }
    this.#waiting.push(item);
    this.#waitingBytes += costOf(item);
    // Later in this turn of the event loop, so that lines which arrived together are stored together.
    this.#work ??= this.#begin();
  }

  #begin(): Promise<void> {
    const release = this.#holds.take();
    return Promise.resolve()
      .then(() => this.#run())
      .finally(release);
  }

  #roomForMore(): Promise<void> | undefined {
    return this.#isFull || this.#failure ? this.#waitForRoom() : undefined;
  }

  /** Nothing is read beside a long line that is being stored: there are several copies of it. */
  get #isFull(): boolean {
    return this.#waitingBytes > MAX_UNRECORDED_BYTES || this.#storingBytes > 2 * MAX_UNRECORDED_BYTES;
  }

  async #waitForRoom(): Promise<void> {
    if (this.#isFull) await new Promise<void>((go) => this.#room.push(go));
    if (this.#failure) throw this.#failure.error;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const items = this.#waiting.splice(0, countWithin(this.#waiting, MAX_ROWS_AT_ONCE));
      this.#storingBytes = bytesOf(items);
      this.#waitingBytes -= this.#storingBytes;
      this.#makeRoom();
      try {
        await this.#keep(items);
      } catch (error) {
        this.#fail(error, items);
      }
      this.#storingBytes = 0;
      this.#makeRoom();
    }
    this.#work = undefined;
  }

  #makeRoom(): void {
    if (!this.#isFull) for (const go of this.#room.splice(0)) go();
  }

  /** What agents say is tried until it is stored. */
  async #keep(items: readonly Item[]): Promise<void> {
    let left = items;
    while (left.length > 0) {
      try {
        const outcomes = await this.#append(left);
        this.#trouble = undefined;
        for (const { group, appended } of outcomes) await this.#show(group, appended);
        return;
      } catch (error) {
        if (!(error instanceof SignalboxError) || !PASSING_TROUBLE.has(error.code)) throw error;
        this.#callbacks.onTrouble(error);
        this.#trouble = error;
        left = refusePeople(left, error);
        this.#waiting = refusePeople(this.#waiting, error);
        this.#waitingBytes = bytesOf(this.#waiting);
        if (left.length > 0) await pause(RETRY_MS);
      }
    }
    this.#trouble = undefined;
  }

  async #append(items: readonly Item[]): Promise<{ group: Group; appended: Appended | undefined }[]> {
    const groups = groupsOf(items).map((group) => ({ group, append: appendOf(this.#session, group) }));
    const appends = groups.flatMap(({ append }) => append ?? []);
    const outcomes = (appends.length > 0 ? await this.#commit(appends, items) : []).values();
    return groups.map(({ group, append }) => ({ group, appended: append && outcomes.next().value }));
  }

  async #commit(appends: readonly Append[], items: readonly Item[]): Promise<Appended[]> {
    const { effects, settle } = joinChanges(items.flatMap(({ change }) => change?.() ?? []));
    const { generation } = this.#store;
    try {
      const { appended, results } = await this.#store.commit({ appends, effects, generation });
      settle(results);
      return appended;
    } catch (error) {
      settle(undefined);
      throw error;
    }
  }

  async #show({ items, heard, kept }: Group, appended: Appended | undefined): Promise<void> {
    let lines = 0;
    for (const { line, isPreview } of items) if (line && !isPreview) lines += 1;
    // What an earlier process had recorded already was shown then.
    let toSkip = lines - (appended?.count ?? 0);
    const { first = 0, checks = [] } = appended ?? {};
    let shown = 0;
    let seen = 0;
    let entries: RecordedLine[] = [];
    const flush = (): void => {
      if (entries.length > 0) this.#callbacks.onRecorded(entries);
      entries = [];
    };
    for (const { line, author, time, isPreview } of items) {
      if (isPreview) {
        flush();
        if (line) this.#callbacks.onPreview(line);
      } else if (!line) continue;
      else if (toSkip > 0) toSkip -= 1;
      else {
        entries.push({ kind: 'line', seq: first + shown, check: checks[shown] ?? 0, time, author, line });
        shown += 1;
      }
      seen += 1;
      if (seen % LINES_AT_ONCE !== 0) continue;
      flush();
      if (turns.isOver) await turns.rest();
    }
    flush();
    for (const { onShown } of items) onShown?.();
    if (kept && appended) {
      this.#unkept = undefined;
      this.#callbacks.onSafe(kept);
    }
    if (heard && heard.count > (kept?.count ?? 0)) this.#planPosition(heard);
  }

  #planPosition(position: LinkPosition): void {
    this.#unkept = position;
    this.#positionTimer?.end();
    const release = this.#holds.take();
    const timer = setTimeout(() => {
      this.#keepPosition();
      release();
    }, POSITION_DELAY_MS).unref();
    const end = (): void => {
      clearTimeout(timer);
      release();
    };
    this.#positionTimer = { end };
  }

  #keepPosition(): void {
    const position = this.#unkept;
    if (!position || this.#failure || this.#callbacks.isReplyOpen()) return;
    this.#unkept = undefined;
    this.#add(fromAgent(undefined, position, 'kept'));
  }

  #fail(error: unknown, items: readonly Item[]): void {
    this.#failure = { error };
    this.#callbacks.onTrouble(error);
    for (const { onShown } of [...items, ...this.#waiting.splice(0)]) onShown?.(error);
    for (const go of this.#room.splice(0)) go();
  }
}

/** Gives those that nobody waits for in person. */
function refusePeople(items: readonly Item[], error: unknown): Item[] {
  return items.filter((item) => {
    if (isOfPerson(item)) item.onShown?.(error);
    return !isOfPerson(item);
  });
}

/** How many go into one commit: at least one. */
function countWithin(items: readonly Item[], most: number): number {
  let rows = 0;
  const end = items.findIndex(({ change, spend }) => {
    rows += (change ? ROWS_OF_A_CHANGE : 0) + (spend ? spend.rows.length + 1 : 0);
    return rows > most;
  });
  return end === -1 ? items.length : Math.max(1, end);
}

function bytesOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + costOf(item), 0);
}

function costOf({ line }: Item): number {
  return (line?.byteLength ?? 0) + ITEM_OVERHEAD_BYTES;
}

function isOfPerson({ author }: Item): boolean {
  return author.by === 'person';
}

function fromAgent(
  line: WireLine | undefined,
  position: LinkPosition | undefined,
  kind: 'kept' | 'preview',
  change?: MakeChange,
  spend?: LineSpend,
): Item {
  const isPreview = kind === 'preview';
  return {
    line,
    author: AGENT,
    time: Date.now(),
    position,
    isPreview,
    change,
    answers: undefined,
    spend,
    onShown: undefined,
  };
}

/** Consecutive items of one author, and of one epoch of its link; an answer stands alone. */
interface Group {
  author: Author;
  items: Item[];
  /** How far the link has got with all of them. */
  heard: LinkPosition | undefined;
  /** How far with those that are kept: the previews after them may be the beginning of a reply. */
  kept: LinkPosition | undefined;
  answers: string | undefined;
}

function groupsOf(items: readonly Item[]): Group[] {
  const groups: Group[] = [];
  for (const item of items) {
    const { author, position, answers } = item;
    let group = groups.at(-1);
    const isNext = group?.author === author && group.heard?.epoch === position?.epoch;
    if (!group || !isNext || group.answers !== answers) {
      group = { author, items: [], heard: undefined, kept: undefined, answers };
      groups.push(group);
    }
    group.items.push(item);
    group.heard = later(group.heard, position);
    if (!item.isPreview) group.kept = later(group.kept, position);
  }
  return groups;
}

/** A position that was kept back may come after a line that is past it. */
function later(one: LinkPosition | undefined, other: LinkPosition | undefined): LinkPosition | undefined {
  return one && other ? (other.count > one.count ? other : one) : (one ?? other);
}

/** What of a group goes into the record; nothing when it is only previews. */
function appendOf(session: string, { author, items, kept, answers }: Group): Append | undefined {
  const lines: NewLine[] = [];
  let isKept = false;
  for (const { line, time, position: at, isPreview, spend } of items) {
    if (isPreview) continue;
    isKept = true;
    if (!line) continue;
    const bytes = line.bytes();
    lines.push({ bytes, time, number: at?.count, spend });
  }
  return isKept ? { session, author, lines, answers, ...(kept ? { position: kept } : {}) } : undefined;
}
