import { SignalboxError } from '@signalbox/protocol';

/** There is no terminal, or one that cannot move its cursor. */
export class TerminalNeededError extends SignalboxError {
  /** `instead` is what works without one. */
  constructor(instead: string) {
    super('TERMINAL_NEEDED', `The chat needs a terminal; ${instead}, or set TERM when this is a terminal.`);
  }
}

/** Whether somebody could see a chat, in a terminal that can move its cursor. */
export function hasTerminal(stdout: NodeJS.WriteStream): boolean {
  return stdout.isTTY && process.env.TERM !== 'dumb';
}

/** Throws {@link TerminalNeededError} where nobody could see the chat or type into it. */
export function requireTerminal(
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  instead = 'use -p to get an answer without one',
): void {
  if (!stdin.isTTY || !hasTerminal(stdout)) throw new TerminalNeededError(instead);
}
