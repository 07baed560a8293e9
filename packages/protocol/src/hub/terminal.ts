import type { TerminalExit } from './schema/terminal.ts';

/** How large a screen is. */
export interface TerminalSize {
  cols: number;
  rows: number;
}

/** A place in what a shell has written: `epoch` names the shell's life, `offset` counts its bytes. */
export interface TerminalPosition {
  epoch: string;
  offset: number;
}

/** The largest and smallest screens; what is asked for beyond them is cut to them. */
export const TERMINAL_SIZE = { minCols: 2, maxCols: 1000, minRows: 1, maxRows: 300 } as const;

/** What a viewer of a terminal says in text frames; binary frames are what it types. */
export type TerminalClientMessage =
  /** The first. `at` is what it has already: without it, it gets the screen, and `scrollback` lines that have left it. */
  | { type: 'attach'; at?: TerminalPosition; scrollback?: number; size?: TerminalSize }
  /** What its own screen has room for. */
  | ({ type: 'resize' } & TerminalSize)
  /** It has drawn everything before this. */
  | { type: 'ack'; offset: number };

/** What a viewer of a terminal is told in text frames; binary frames are what the shell wrote. */
export type TerminalMessage =
  /** Forget all, and draw this: it stands for everything before `offset`, where the next bytes begin. */
  | ({ type: 'screen'; data: string; mayType: boolean } & TerminalPosition & TerminalSize)
  /** The next bytes begin where the viewer left off. */
  | ({ type: 'resumed'; mayType: boolean } & TerminalPosition & TerminalSize)
  | ({ type: 'resize' } & TerminalSize)
  | { type: 'bell' }
  | { type: 'exit'; exit: TerminalExit | null }
  | { type: 'error'; code: string; message: string };

/** A size that a terminal can have. */
export function terminalSize({ cols, rows }: TerminalSize): TerminalSize {
  const { minCols, maxCols, minRows, maxRows } = TERMINAL_SIZE;
  return {
    cols: Math.min(maxCols, Math.max(minCols, Math.trunc(cols))),
    rows: Math.min(maxRows, Math.max(minRows, Math.trunc(rows))),
  };
}
