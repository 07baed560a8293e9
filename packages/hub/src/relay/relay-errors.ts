import { SignalboxError } from '@signalbox/protocol';

/** Frontends were to come in without a token where others than this machine could be behind them. */
export class OpenRelayError extends SignalboxError {
  constructor() {
    super(
      'OPEN_RELAY_REFUSED',
      'An open relay lets everyone in who reaches it: it works on a loopback address only, and not behind a proxy.',
    );
  }
}

/** A host wants something that only the one who starts an agent can have. */
export class SharedSessionError extends SignalboxError {
  constructor(what: string) {
    super(
      'SESSION_IS_SHARED',
      `This session has other hosts, and its agent runs already: ${what} cannot be set from here. ` +
        'Leave it out, or start an agent of your own.',
    );
  }
}

/** A frontend speaks, and no agent has come yet. */
export class NobodyToFollowError extends SignalboxError {
  constructor() {
    super('RELAY_NO_AGENT', 'No agent has dialled in yet. Start one, or name a session: /ws?session=<id>.');
  }
}
