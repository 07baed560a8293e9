import { KIB, type Limit, MIB } from './limit.ts';

/** Terminals, and those who look at them. */
export const TERMINAL_LIMITS = {
  terminals: {
    most: 16,
    unit: 'items',
    code: 'TERMINAL_LIMIT',
    what: 'terminals of one session; the oldest that has ended makes room',
    told: 'whoever starts one more, by a 409',
  },
  terminalViewers: {
    most: 50,
    unit: 'items',
    code: 'TERMINAL_LIMIT',
    what: 'connections to one terminal',
    told: 'whoever opens one more, by a 409',
  },
  terminalLogBytes: {
    most: 8 * MIB,
    unit: 'bytes',
    code: 'TERMINAL_LIMIT',
    what: 'the output of a terminal that is kept; a viewer that is further behind gets the screen as it is',
    told: 'the viewer, by a `screen` message',
  },
  terminalScrollback: {
    most: 2000,
    unit: 'items',
    code: 'TERMINAL_LIMIT',
    what: 'lines that have left the screen of a terminal and are kept',
    told: 'nobody: the oldest are forgotten',
  },
  terminalFrameBytes: {
    most: 64 * KIB,
    unit: 'bytes',
    code: 'BODY_TOO_LONG',
    what: 'one frame of a viewer of a terminal; what is typed or pasted is sent in parts',
    told: 'the viewer, by the close of its connection',
  },
  terminalScreenBytes: {
    most: 32 * MIB,
    unit: 'bytes',
    code: 'TERMINAL_LIMIT',
    what: "one frame of a terminal's process: a screen with what has left it, every character in a colour of its own",
    told: 'the process, by the close of its connection',
  },
  terminalInputBytes: {
    most: MIB,
    unit: 'bytes',
    code: 'TERMINAL_INPUT_FULL',
    what: 'what was typed into a terminal whose program does not read',
    told: 'the viewer, by an error',
  },
  terminalUnreadBytes: {
    most: 32 * MIB,
    unit: 'bytes',
    code: 'TERMINAL_LIMIT',
    what: 'what a viewer of a terminal was sent and has not read, though it said so; longer than its window and a screen',
    told: 'the viewer, by the close of its connection',
  },
} as const satisfies Record<string, Limit>;
