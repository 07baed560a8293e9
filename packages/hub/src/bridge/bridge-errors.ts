import { messageOf, SignalboxError } from '@signalbox/protocol';
import { shownUrl } from '@signalbox/transport';

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

/** The hub of this home has no socket there. */
export class HubOutdatedError extends SignalboxError {
  constructor(home: string) {
    super(
      'HUB_OUTDATED',
      `The hub of ${home} is of an earlier version, which listens on a port only; whoever has that port would get the token. End it and start signalbox up; its agents go on.`,
    );
  }
}

/** The socket of a hub is where others could have put it. */
export class HubSocketError extends SignalboxError {
  constructor(folder: string) {
    super(
      'HUB_SOCKET_REFUSED',
      `The socket of the hub is in ${folder}, where others than you can write. Make it yours alone (chmod 700), then start signalbox up again.`,
    );
  }
}

/** The token of this machine's own programs was to go to somebody who has not shown to be the hub of its home. */
export class TokenWithheldError extends SignalboxError {
  constructor(home: string, url: string) {
    super(
      'TOKEN_WITHHELD',
      `Nothing shows that ${shownUrl(url)} is the hub of ${home}: its token stays here. Leave --hub out (bridge: say --local) for the hub of this machine; for another one, name the file of its token with --token-file.`,
    );
  }
}
