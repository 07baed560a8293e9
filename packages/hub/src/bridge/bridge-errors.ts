import { messageOf, SignalboxError } from '@signalbox/protocol';

/** The options of a bridge do not say what it needs to know. */
export class BridgeOptionsError extends SignalboxError {
  constructor(problem: string) {
    super('BRIDGE_OPTIONS_INVALID', problem);
  }
}

/** Another process runs the bridge of this id. */
export class BridgeRunningError extends SignalboxError {
  readonly pid: number;

  constructor(id: string, pid: number) {
    super(
      'BRIDGE_RUNNING',
      `The bridge ${id} runs already, as process ${pid}. Stop it, or choose another --id.`,
    );
    this.pid = pid;
  }
}

/** A detached bridge ended before it had begun. */
export class BridgeNotStartedError extends SignalboxError {
  constructor(id: string, words: string) {
    super('BRIDGE_NOT_STARTED', `The bridge ${id} did not start: ${words.trim() || 'it said nothing'}`);
  }
}

/** A bridge cannot write down what its agent says. It goes on, and what a kill would lose is in memory only. */
export class JournalWriteError extends SignalboxError {
  constructor(directory: string, cause: unknown) {
    super(
      'JOURNAL_WRITE_FAILED',
      `Cannot write to ${directory}: ${messageOf(cause)}. Lines still reach the hub, but would not survive a kill. Make room on the disk.`,
      { cause },
    );
  }
}

/** The connection over which a killed bridge's lines were sent again broke off, or was refused. */
export class RedeliveryError extends SignalboxError {
  /** What the hub answered in the place of an upgrade. */
  readonly status: number | undefined;

  constructor(reason: string, status?: number) {
    super(
      'REDELIVERY_FAILED',
      `Lines of an earlier bridge could not be delivered: ${reason}. They are kept.`,
    );
    this.status = status;
  }
}
