import { encodeLine, type Line } from '../text/line.ts';
import { wrapLine } from '../text/wrap-line.ts';
import { rowsWhenCut, rowsWhenCutTo } from './reflow.ts';

/** What a terminal shows: what is done, which scrolls away, and what is alive below it. */
export interface Picture {
  /** Rows that are done since the last picture. */
  done: readonly Line[];
  live: readonly Line[];
  /** Where the cursor stands in `live`; hidden without one. */
  cursor?: { x: number; y: number } | undefined;
}

/** Columns that stay empty at the right: some terminals wrap as soon as the last one is written to. */
const MARGIN = 1;

/** Rows of what is done that are kept, to be drawn again when the terminal is resized. */
const KEPT_ROWS = 400;

/** How long a terminal may take to say that it was resized: tmux waits a quarter of a second. */
const TORN_MS = 300;

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
// Row by row: some terminals keep in their history what is erased all at once.
const ERASE_ROW = '\x1b[2K';
const ERASE_BELOW = '\x1b[J';

// Terminals that know it show all that is between the two at once.
const FRAME_START = '\x1b[?2026h';
const FRAME_END = '\x1b[?2026l';

/** The terminal as a surface for pictures. */
export class Screen {
  readonly #stdout: NodeJS.WriteStream;
  readonly #hasColor: boolean;
  /** The last rows of what is done. */
  #tail: Line[] = [];
  #live: readonly Line[] = [];
  #cursor: { x: number; y: number } = { x: 0, y: 0 };
  /** The size for which all this was drawn. */
  #size = '';
  #frame = '';
  #drawnAt = 0;

  constructor(stdout: NodeJS.WriteStream) {
    this.#stdout = stdout;
    this.#hasColor = !process.env.NO_COLOR;
    // A shell that gets the terminal back wants to see its cursor.
    process.once('exit', this.#showCursor);
  }

  get columns(): number {
    return Math.max(this.#width - MARGIN, 1);
  }

  /** Rows that the live part may take: the row above it belongs to what is done. */
  get liveRows(): number {
    return Math.max(this.#height - 1, 1);
  }

  show({ done, live, cursor }: Picture): void {
    const size = `${this.#width}x${this.#height}`;
    const isResized = this.#size !== '' && size !== this.#size;
    // The last frame may have met a terminal that was resized already: then nothing is where it should be.
    const isTorn = isResized && Date.now() - this.#drawnAt < TORN_MS;
    const again = isTorn ? this.#visibleTail() : [];
    const back = this.#up(isTorn ? this.#tail : []);
    this.#size = size;
    const row = (line: Line): string => ERASE_ROW + encodeLine(line, this.#hasColor);
    const above = [...again, ...done].map((line) => `${row(line)}\n`).join('');
    const below = live.map(row).join('\n') + ERASE_BELOW;
    const place = cursor ? toCursor(cursor, live.length) + SHOW_CURSOR : HIDE_CURSOR;
    const frame = below + place;
    if (above === '' && !isResized && frame === this.#frame) return;
    this.#frame = frame;
    this.#drawnAt = Date.now();
    this.#tail = [...this.#tail, ...done].slice(-KEPT_ROWS);
    this.#live = live;
    this.#cursor = cursor ?? { x: 0, y: Math.max(live.length - 1, 0) };
    this.#stdout.write(`${FRAME_START}${back}\r${above}${frame}${FRAME_END}`);
  }

  /** What was drawn is no longer what is above the cursor. */
  forget(): void {
    this.#tail = [];
    this.#live = [];
    this.#cursor = { x: 0, y: 0 };
    this.#frame = '';
  }

  /** Take what is alive off the screen: a shell goes on below what is done. */
  clear(): void {
    this.show({ done: [], live: [] });
    this.forget();
    this.#showCursor();
  }

  /** Leave the terminal as it is. */
  close(): void {
    process.off('exit', this.#showCursor);
    this.#showCursor();
  }

  get #width(): number {
    return this.#stdout.columns || 80;
  }

  get #height(): number {
    return this.#stdout.rows || 24;
  }

  readonly #showCursor = (): void => {
    this.#stdout.write(SHOW_CURSOR);
  };

  /** From the cursor up to the first row of the live part, or of `rows` above it; no terminal goes beyond its top. */
  #up(rows: readonly Line[]): string {
    const { x, y } = this.#cursor;
    const over = [...rows, ...this.#live.slice(0, y)];
    const height = rowsWhenCut(over, this.#width) + rowsWhenCutTo(this.#live[y] ?? [], x, this.#width) - 1;
    return height > 0 ? `\x1b[${height}A` : '';
  }

  /**
   * What of the tail is on the screen. A terminal that becomes narrower breaks rows in two, and nobody knows where it
   * stood in the middle of a frame: only what is drawn again from its top is whole.
   */
  #visibleTail(): Line[] {
    let room = this.#height - rowsWhenCut(this.#live, this.#width);
    const visible: Line[] = [];
    for (const line of this.#tail.toReversed()) {
      if (room <= 0) break;
      room -= rowsWhenCut([line], this.#width);
      visible.unshift(line);
    }
    return visible.flatMap((line) => wrapLine(line, this.columns));
  }
}

function toCursor({ x, y }: { x: number; y: number }, rows: number): string {
  const up = rows - 1 - y;
  return `${up > 0 ? `\x1b[${up}A` : ''}\r${x > 0 ? `\x1b[${x}C` : ''}`;
}
