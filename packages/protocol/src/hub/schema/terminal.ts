import * as z from 'zod';
import { TERMINAL_SIZE } from '../terminal.ts';
import { sessionId, time } from './values.ts';

const { minCols, maxCols, minRows, maxRows } = TERMINAL_SIZE;

const terminalState = z
  .enum(['running', 'exited', 'lost'])
  .describe('lost: its process was killed; what it had written by then can still be seen');

const terminalExit = z.object({ code: z.number().nullable(), signal: z.number().nullable() });

export const terminal = z.object({
  session: sessionId,
  number: z.number().describe('counts up within a session'),
  state: terminalState,
  shell: z.string().describe('the program that it runs'),
  isAgent: z.boolean().describe("runs the session's agent with its own screen, and not a shell"),
  folder: z.string(),
  pid: z.number().nullable(),
  startedAt: time,
  exit: terminalExit.nullable(),
});

/** The first size of a terminal. */
export const newTerminal = z.strictObject({
  cols: z.number().int().min(minCols).max(maxCols).default(80),
  rows: z.number().int().min(minRows).max(maxRows).default(24),
});

/** Where the conversation of a session is to go on; the size is that of the agent's first screen. */
export const newView = newTerminal.extend({
  view: z.enum(['sdk', 'terminal']),
  now: z.boolean().exactOptional().describe('do not wait for the end of the turn: it is cut off'),
});

/** A shell of a session, on a terminal of its own. */
export type Terminal = z.infer<typeof terminal>;

/** Where the conversation of a session is to go on. */
export type NewView = z.infer<typeof newView>;

/** `lost`: its process was killed; what it had written by then can still be seen. */
export type TerminalState = z.infer<typeof terminalState>;

/** How a shell ended. */
export type TerminalExit = z.infer<typeof terminalExit>;
