import type { HubApi } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { type RecordedLine, recordedLinesIn } from '../model/recorded-lines.ts';

/** How many lines are asked for at once. */
const STEP = 200;

/** What a page holds of them: who builds agents looks at the last minutes, and older lines are read again on demand. */
const MAX_LINES = 2000;
const MAX_CHARACTERS = 8_000_000;

export interface LineView {
  lines: readonly RecordedLine[];
  /** Whether the record begins before them. */
  hasEarlier: boolean;
  isReading: boolean;
  problem: string;
}

/** The lines of a session's record as they were written: its end, what follows it, and what is before on demand. */
export class LineFeed {
  readonly #api: HubApi;
  readonly #session: string;
  readonly #listeners = new Set<() => void>();
  #view: LineView = { lines: [], hasEarlier: false, isReading: false, problem: '' };
  #wanted = 0;

  constructor(api: HubApi, session: string) {
    this.#api = api;
    this.#session = session;
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): LineView => this.#view;

  /** Read on until the entry before `next`; what comes while it reads is read after it. */
  async readTo(next: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, next);
    await this.#read(async () => {
      for (let end = this.#end; end < this.#wanted || end === 0; end = this.#end) {
        const window = end === 0 ? { limit: STEP } : { from: end, limit: STEP };
        const lines = await this.#lines(window);
        if (lines.length === 0) return;
        this.#hold([...this.#view.lines, ...lines], 'newest');
      }
    });
  }

  /** Read what is before the oldest line that is here. */
  async readEarlier(): Promise<void> {
    const first = this.#view.lines[0]?.seq ?? 1;
    if (first <= 1) return;
    await this.#read(async () => {
      const lines = await this.#lines({ before: first, limit: STEP });
      if (lines.length === 0) this.#tell({ hasEarlier: false });
      else this.#hold([...lines, ...this.#view.lines], 'oldest');
    });
    // What came meanwhile was not read.
    if (this.#view.problem === '' && this.#end < this.#wanted) await this.readTo(this.#wanted);
  }

  /** The entry after the newest line that is here; 0 while there is none. */
  get #end(): number {
    return (this.#view.lines.at(-1)?.seq ?? -1) + 1;
  }

  async #lines(window: { from?: number; before?: number; limit: number }): Promise<RecordedLine[]> {
    return recordedLinesIn(await this.#api.eventsText(this.#session, window));
  }

  async #read(work: () => Promise<void>): Promise<void> {
    if (this.#view.isReading) return;
    this.#tell({ isReading: true, problem: '' });
    let problem = '';
    await work().catch((error: unknown) => {
      problem = problemWords(error);
    });
    this.#tell({ isReading: false, problem });
  }

  /** What there is no room for goes at the other end. */
  #hold(lines: readonly RecordedLine[], kept: 'newest' | 'oldest'): void {
    const held = [...(kept === 'newest' ? lines.toReversed() : lines)];
    let characters = 0;
    const past = held.findIndex(
      ({ text }, index) => (characters += text.length) > MAX_CHARACTERS && index > 0,
    );
    const fits = held.slice(0, Math.min(MAX_LINES, past < 0 ? held.length : past));
    const shown = kept === 'newest' ? fits.toReversed() : fits;
    this.#tell({ lines: shown, hasEarlier: (shown[0]?.seq ?? 1) > 1 });
  }

  #tell(news: Partial<LineView>): void {
    this.#view = { ...this.#view, ...news };
    for (const listener of this.#listeners) listener();
  }
}
