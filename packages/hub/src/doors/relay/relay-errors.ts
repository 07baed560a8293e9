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

/** A frontend speaks, and no agent is connected. */
export class NoAgentError extends SignalboxError {
  constructor() {
    super('RELAY_NO_AGENT', 'No agent is connected. Start one, or name a session: /ws?session=<id>.');
  }
}

/** A frontend speaks to a conversation that no connected agent has. */
export class UnknownSessionError extends SignalboxError {
  constructor(named: string) {
    super(
      'RELAY_SESSION_UNKNOWN',
      `No connected agent has the session_id ${JSON.stringify(named.slice(0, 100))}: nothing was delivered.`,
    );
  }
}

/** A frontend speaks to one of several agents, and does not say to which. */
export class SessionUnnamedError extends SignalboxError {
  constructor() {
    super(
      'RELAY_SESSION_UNNAMED',
      'Several agents are connected: say which one is meant by its session_id. Nothing was delivered.',
    );
  }
}

/** Two agents have asked under the same id: an answer to it could allow the wrong one. */
export class AmbiguousAnswerError extends SignalboxError {
  constructor(requestId: string) {
    super(
      'RELAY_ANSWER_AMBIGUOUS',
      `Several agents ask under the id ${JSON.stringify(requestId.slice(0, 100))}: answer on /ws?session=<id>, or in the console.`,
    );
  }
}

/** A frontend says what is no message. */
export class UnreadableLineError extends SignalboxError {
  constructor() {
    super('RELAY_LINE_UNREADABLE', 'A line is a JSON object with a type. This one was not passed on.');
  }
}
