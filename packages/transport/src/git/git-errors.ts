import { type Limit, SignalboxError } from '@signalbox/protocol';

/** There is no git on this machine, or one that cannot be told what not to run. */
export class GitUnavailableError extends SignalboxError {
  constructor(cause?: unknown) {
    super('GIT_UNAVAILABLE', 'This takes git 2.31 or later on the machine of the hub. Install it.', {
      cause,
    });
  }
}

/** Git could not do it; the message has its words. */
export class GitFailedError extends SignalboxError {
  /** What git wrote to stderr. */
  readonly words: string;

  constructor(words: string) {
    const [first = ''] = words.replaceAll(/^(?:fatal|error): /gm, '').split('\n');
    super('GIT_FAILED', `Git refused: ${first.slice(0, 500) || 'it did not say why'}`);
    this.words = words;
  }
}

/** Git took longer than it may. */
export class GitTimeoutError extends SignalboxError {
  constructor(seconds: number) {
    super(
      'GIT_TIMEOUT',
      `Git took longer than ${seconds} s in this folder, and was ended. Run it in a terminal there to see why.`,
    );
  }
}

/** There is more in a folder than is taken note of. */
export class SnapshotLimitError extends SignalboxError {
  constructor({ most, unit, what }: Limit) {
    super('SNAPSHOT_LIMIT', `There are more than ${most} ${unit}: ${what}. Commit or ignore some of them.`);
  }
}
