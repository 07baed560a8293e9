import { SignalboxError } from '@signalbox/protocol';

/** Nothing can be told other nodes about where this one is, or what was told makes no sense. */
export class NodeAddressError extends SignalboxError {
  constructor(problem: string) {
    super(
      'NODE_ADDRESS',
      `${problem} Say where other nodes reach this one with --node-address, as https://host:port, http://host:port or unix:/path.`,
    );
  }
}

/** No node leads at the moment, or the one that does cannot be reached from here. */
export class NoLeaderError extends SignalboxError {
  constructor(why: string) {
    super('NO_LEADER', `${why} Try again in a moment.`);
  }
}

/** The node that leads was lost before it had answered. */
export class LeaderLostError extends SignalboxError {
  constructor() {
    super(
      'LEADER_LOST',
      'The node that leads was lost before it had answered, and nobody knows whether it did what was asked. Ask again, with the same idempotency key.',
    );
  }
}

/** One node has passed a request on to another that does not lead either. */
export class NotLeadingError extends SignalboxError {
  constructor() {
    super(
      'NOT_LEADING',
      'This node does not lead, and passes on nothing that another node has. Look up who leads.',
    );
  }
}

/** Another process runs a node in this home. */
export class NodeRunningError extends SignalboxError {
  constructor(home: string, pid: number) {
    super(
      'NODE_RUNNING',
      `Process ${pid} runs a node in ${home}. End it, or give this one a SIGNALBOX_HOME of its own.`,
    );
  }
}
