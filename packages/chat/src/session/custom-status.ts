import { ansiLine } from '../text/ansi-line.ts';
import type { Line } from '../text/line.ts';

/** The size of a whole terminal. */
export interface TerminalSize {
  columns: number;
  rows: number;
}

/** What a person's own status line printed, and by how many columns it is indented. */
export interface StatusText {
  text: string;
  padding: number;
}

/** Changes that come together lead to one run. */
const SETTLE_MS = 300;

/** Where the rows of the prompt begin. */
const INDENT = 2;
const MAX_PADDING = 40;

/** The person's own status line: asked for anew when something has changed; a new question takes the old one back. */
export class CustomStatus {
  readonly #ask: (signal: AbortSignal) => Promise<StatusText | undefined>;
  readonly #onChange: () => void;
  #lines: readonly Line[] = [];
  /** Agents that have none are asked once. */
  #state: 'in use' | 'over' = 'in use';
  #timer: NodeJS.Timeout | undefined;
  #asked: AbortController | undefined;

  constructor(parts: {
    /** Rejects where there is nothing to ask for; undefined leaves what is shown. */
    ask: (signal: AbortSignal) => Promise<StatusText | undefined>;
    onChange: () => void;
  }) {
    this.#ask = parts.ask;
    this.#onChange = parts.onChange;
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  refresh(): void {
    if (this.#state === 'over' || this.#timer) return;
    this.#timer = setTimeout(() => void this.#run(), SETTLE_MS).unref();
  }

  close(): void {
    this.#state = 'over';
    clearTimeout(this.#timer);
    this.#asked?.abort();
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#asked?.abort();
    const asked = new AbortController();
    this.#asked = asked;
    try {
      const said = await this.#ask(asked.signal);
      if (!said || asked.signal.aborted) return;
      this.#lines = linesOf(said);
      this.#onChange();
    } catch {
      // An agent without one, or one that is gone; a question that was taken back says nothing about it.
      if (!asked.signal.aborted) this.close();
    }
  }
}

function linesOf({ text, padding }: StatusText): Line[] {
  if (text === '') return [];
  const indent = { text: ' '.repeat(INDENT + Math.min(padding, MAX_PADDING)) };
  // What has no colour of its own stays in the background.
  return text
    .split('\n')
    .map((line) => [
      indent,
      ...ansiLine(line).map((span) => (span.foreground === undefined ? { ...span, dim: true } : span)),
    ]);
}
