import { LIMITS, SignalboxError } from '@signalbox/protocol';

/** A session has no terminal of this number. */
export class TerminalNotFoundError extends SignalboxError {
  constructor(session: string, number: number) {
    super('TERMINAL_NOT_FOUND', `Session ${session} has no terminal ${number}.`);
  }
}

/** A session has as many terminals, or a terminal as many viewers, as it may. */
export class TerminalLimitError extends SignalboxError {
  constructor(what: 'terminals' | 'viewers') {
    const { most } = what === 'terminals' ? LIMITS.terminals : LIMITS.terminalViewers;
    const words =
      what === 'terminals'
        ? 'terminals run in this session. End one first'
        : 'connections look at this terminal';
    super('TERMINAL_LIMIT', `${most} ${words}.`);
  }
}

/** A terminal does not reach the hub, though its process runs. */
export class TerminalNotConnectedError extends SignalboxError {
  constructor(number: number) {
    super(
      'TERMINAL_NOT_CONNECTED',
      `Terminal ${number} runs, and has not come back to this hub yet. Try again in a moment.`,
    );
  }
}
