import { setTimeout as pause } from 'node:timers/promises';
import { SignalboxError, type WireLine } from '@signalbox/protocol';
import type { Author } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { Append, Appended, NewLine, RecordedLine, SessionRecord } from '../store/record.ts';
import { turns } from '../work/turns.ts';

/** What may wait to become durable before the agent is read no further. */
export const MAX_UNRECORDED_BYTES = 1024 * 1024;

/** What an item costs beside its bytes: many that are short must not pass the limit a hundredfold. */
const ITEM_OVERHEAD_BYTES = 128;

/** Previews alone are worth no commit: how far the link has got with them is kept after this long. */
const POSITION_DELAY_MS = 1000;

/** How many lines are shown before others may have their turn: some take long to understand. */
const LINES_AT_ONCE = 256;

/** How long a store that cannot take lines is left alone; nothing is lost meanwhile: agents wait, people are told. */
const RETRY_MS = 1000;

const PASSING_TROUBLE = new Set(['STORE_FULL', 'STORE_BUSY', 'STORE_FAILED']);

const AGENT: Author = { by: 'agent' };

/** Something said in a session, on its way to those who watch. */
type Item = {
  line: WireLine | undefined;
  author: Author;
  time: number;
  position: LinkPosition | undefined;
  isPreview: boolean;
  /** Stored in the same commit as the line, and ahead of it. */
  along: (() => Promise<unknown>) | undefined;
  onShown: ((error?: unknown) => void) | undefined;
};

/** Who is told by a {@link Recorder}, in the order in which things were said. */
export interface RecorderOutlets {
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
  readonly #record: SessionRecord;
  readonly #session: string;
  readonly #outlets: RecorderOutlets;
  #waiting: Item[] = [];
  #waitingBytes = 0;
  /** What the store is about to have. */
  #storingBytes = 0;
  #unkept: LinkPosition | undefined;
  #positionTimer: NodeJS.Timeout | undefined;
  #work: Promise<void> | undefined;
  #room: (() => void)[] = [];
  #failure: { error: unknown } | undefined;
  #trouble: SignalboxError | undefined;

  constructor(record: SessionRecord, session: string, outlets: RecorderOutlets) {
    this.#record = record;
    this.#session = session;
    this.#outlets = outlets;
  }

  /**
   * A line of the agent. Gives what to wait for before the next one, which rejects once the record cannot go on;
   * undefined while there is room: a promise each is what a flood would cost most.
   */
  heard(line: WireLine, position?: LinkPosition, along?: () => Promise<unknown>): Promise<void> | undefined {
    this.#add(fromAgent(line, position, 'kept', along));
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

  /**
   * A line of a person or of the hub. Settles when it is durable and was shown; one of a person is refused while the
   * store cannot take it, and nothing of it is stored then.
   */
  said(author: Author, line: WireLine, along?: () => Promise<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      const onShown = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
      this.#add({ line, author, time: Date.now(), position: undefined, isPreview: false, along, onShown });
    });
  }

  /** Settles when everything that was said has become durable, or never will. */
  async settled(): Promise<void> {
    clearTimeout(this.#positionTimer);
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
    this.#work ??= Promise.resolve().then(() => this.#run());
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
      const items = this.#waiting;
      this.#waiting = [];
      this.#storingBytes = this.#waitingBytes;
      this.#waitingBytes = 0;
      this.#makeRoom();
      try {
        await this.#store(items);
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
  async #store(items: readonly Item[]): Promise<void> {
    let left = items;
    while (left.length > 0) {
      try {
        const outcomes = await this.#append(left);
        this.#trouble = undefined;
        for (const { group, appended } of outcomes) await this.#show(group, appended);
        return;
      } catch (error) {
        if (!(error instanceof SignalboxError) || !PASSING_TROUBLE.has(error.code)) throw error;
        this.#outlets.onTrouble(error);
        this.#trouble = error;
        left = refusePeople(left, error);
        this.#waiting = refusePeople(this.#waiting, error);
        this.#waitingBytes = this.#waiting.reduce((sum, item) => sum + costOf(item), 0);
        if (left.length > 0) await pause(RETRY_MS);
      }
    }
    this.#trouble = undefined;
  }

  async #append(items: readonly Item[]): Promise<{ group: Group; appended: Appended | undefined }[]> {
    const groups = groupsOf(items).map((group) => ({ group, append: appendOf(this.#session, group) }));
    const appends = groups.flatMap(({ append }) => append ?? []);
    const works = items.flatMap((item) => item.along ?? []);
    const along = works.length > 0 ? () => Promise.all(works.map((work) => work())) : undefined;
    const appended = appends.length > 0 ? await this.#record.append(appends, along) : [];
    const outcomes = appended.values();
    return groups.map(({ group, append }) => ({ group, appended: append && outcomes.next().value }));
  }

  async #show({ items, position }: Group, appended: Appended | undefined): Promise<void> {
    let lines = 0;
    for (const { line, isPreview } of items) if (line && !isPreview) lines += 1;
    // What an earlier process had recorded already was shown then.
    let toSkip = lines - (appended?.count ?? 0);
    let seq = appended?.first ?? 0;
    let seen = 0;
    let entries: RecordedLine[] = [];
    const flush = (): void => {
      if (entries.length > 0) this.#outlets.onRecorded(entries);
      entries = [];
    };
    for (const { line, author, time, isPreview } of items) {
      if (isPreview) {
        flush();
        if (line) this.#outlets.onPreview(line);
      } else if (!line) continue;
      else if (toSkip > 0) toSkip -= 1;
      else entries.push({ kind: 'line', seq: seq++, time, author, line });
      seen += 1;
      if (seen % LINES_AT_ONCE !== 0) continue;
      flush();
      if (turns.isOver) await turns.rest();
    }
    flush();
    for (const { onShown } of items) onShown?.();
    if (position && appended) {
      this.#unkept = undefined;
      this.#outlets.onSafe(position);
    } else if (position) this.#planPosition(position);
  }

  #planPosition(position: LinkPosition): void {
    this.#unkept = position;
    clearTimeout(this.#positionTimer);
    this.#positionTimer = setTimeout(() => this.#keepPosition(), POSITION_DELAY_MS).unref();
  }

  #keepPosition(): void {
    const position = this.#unkept;
    if (!position || this.#failure || this.#outlets.isReplyOpen()) return;
    this.#unkept = undefined;
    this.#add(fromAgent(undefined, position, 'kept'));
  }

  #fail(error: unknown, items: readonly Item[]): void {
    this.#failure = { error };
    this.#outlets.onTrouble(error);
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
  along?: () => Promise<unknown>,
): Item {
  const isPreview = kind === 'preview';
  return { line, author: AGENT, time: Date.now(), position, isPreview, along, onShown: undefined };
}

/** Consecutive items of one author, and of one epoch of its link. */
interface Group {
  author: Author;
  items: Item[];
  position: LinkPosition | undefined;
}

function groupsOf(items: readonly Item[]): Group[] {
  const groups: Group[] = [];
  for (const item of items) {
    const { author, position } = item;
    const last = groups.at(-1);
    const isSame = last && last.author === author && last.position?.epoch === position?.epoch;
    if (isSame) {
      last.items.push(item);
      // A position that was kept back may come after a line that is past it.
      if (position && position.count > (last.position?.count ?? 0)) last.position = position;
    } else groups.push({ author, items: [item], position });
  }
  return groups;
}

/** What of a group goes into the record; nothing when it is only previews. */
function appendOf(session: string, { author, items, position }: Group): Append | undefined {
  const lines: NewLine[] = [];
  let isKept = false;
  for (const { line, time, position: at, isPreview } of items) {
    if (isPreview) continue;
    isKept = true;
    if (!line) continue;
    const bytes = line.bytes();
    lines.push({ bytes, time, number: at?.count });
  }
  return isKept ? { session, author, lines, ...(position ? { position } : {}) } : undefined;
}
