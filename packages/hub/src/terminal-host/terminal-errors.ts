import { messageOf, SignalboxError } from '@signalbox/protocol';

/** There is no program here that makes terminals. */
export class TerminalUnavailableError extends SignalboxError {
  constructor(cause: unknown) {
    super(
      'TERMINAL_UNAVAILABLE',
      `This machine (${process.platform}, ${process.arch}) cannot open terminals: the package @lydell/node-pty has no build for it, or was not installed with its optional parts. All else works.`,
      { cause },
    );
  }
}

/** A terminal did not start. */
export class TerminalNotStartedError extends SignalboxError {
  constructor(reason: string) {
    super('TERMINAL_NOT_STARTED', `The terminal did not start: ${reason.trim() || 'it said nothing'}`);
  }
}

/** Another process owns the terminal of this folder. */
export class TerminalRunningError extends SignalboxError {
  constructor(pid: number) {
    super('TERMINAL_RUNNING', `This terminal runs already, as process ${pid}.`);
  }
}

/** What a terminal writes cannot be kept on disk. It goes on: viewers get it from memory. */
export class TerminalLogError extends SignalboxError {
  constructor(folder: string, cause: unknown) {
    super(
      'TERMINAL_LOG_FAILED',
      `Cannot write to ${folder}: ${messageOf(cause)}. The terminal goes on; what it wrote would not survive a kill. Make room on the disk.`,
      { cause },
    );
  }
}

/** A program reads nothing of what is typed, and too much waits for it. */
export class TerminalInputFullError extends SignalboxError {
  constructor() {
    super(
      'TERMINAL_INPUT_FULL',
      'The program in this terminal does not read what is typed. What you typed now was not sent.',
    );
  }
}
