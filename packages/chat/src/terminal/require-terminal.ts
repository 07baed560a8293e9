import { SignalboxError } from '@signalbox/protocol';

/** There is no terminal, or one that cannot move its cursor. */
export class TerminalNeededError extends SignalboxError {
  constructor() {
    super(
      'TERMINAL_NEEDED',
      'The chat needs a terminal; use -p to get an answer without one, or set TERM when this is a terminal.',
    );
  }
}

/** Throws {@link TerminalNeededError} where nobody could see the chat or type into it. */
export function requireTerminal(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): void {
  if (!stdin.isTTY || !stdout.isTTY || process.env.TERM === 'dumb') throw new TerminalNeededError();
}
