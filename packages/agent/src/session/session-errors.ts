import { messageOf, SignalboxError } from '@signalbox/protocol';

/** What `--resume` was given is neither a session id, nor an address, nor a .jsonl file. */
export class ResumeTargetError extends SignalboxError {
  constructor(text: string) {
    super(
      'RESUME_TARGET_INVALID',
      `--resume takes a session id (a UUID), an address (http, https, ws, wss) or a .jsonl file; it is "${text}".`,
    );
  }
}

/** There is no such session where sessions of this folder are kept. */
export class SessionNotFoundError extends SignalboxError {
  readonly lookedIn: string;

  constructor(what: string, lookedIn: string) {
    super('SESSION_NOT_FOUND', `${what} Looked in ${lookedIn}.`);
    this.lookedIn = lookedIn;
  }
}

/** A transcript is there and cannot be read. */
export class SessionUnreadableError extends SignalboxError {
  constructor(file: string, cause: unknown) {
    super('SESSION_UNREADABLE', `The session in ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Lines of a transcript were left out; the session goes on with the others. */
export class TranscriptDamagedError extends SignalboxError {
  readonly lines: number;

  constructor(file: string, lines: number) {
    super('TRANSCRIPT_DAMAGED', `Lines of ${file} that cannot be read, and were left out: ${lines}.`);
    this.lines = lines;
  }
}

/** A new session would write into the transcript of another. */
export class SessionIdInUseError extends SignalboxError {
  constructor(sessionId: string) {
    super('SESSION_ID_IN_USE', `Session ID ${sessionId} is already in use. Resume it, or choose another.`);
  }
}

/** `--resume-session-at` names a message that the session does not have. */
export class ResumePointError extends SignalboxError {
  constructor(uuid: string) {
    super('RESUME_POINT_NOT_FOUND', `No message found with message.uuid of: ${uuid}`);
  }
}

/** The transcript could not be written. What is missing from it is kept, up to a limit, and tried again. */
export class TranscriptWriteError extends SignalboxError {
  constructor(file: string, cause: unknown) {
    super(
      'TRANSCRIPT_WRITE_FAILED',
      `The session goes on, but is not being saved to ${file}: ${messageOf(cause)}`,
      { cause },
    );
  }
}

/** A resume would leave out more than the turn that was named. */
export class ResumeDropsMoreError extends SignalboxError {
  constructor(at: string, turn: string, why: string) {
    super(
      'RESUME_DROPS_MORE',
      `Resume rejected by --resume-drops-turn: resuming at ${at} would discard entries not attributable to turn ${turn}: ${why}`,
    );
  }
}

/** More waited to be written than may be kept: the transcript ends here. */
export class TranscriptLostError extends SignalboxError {
  constructor(file: string, limitBytes: number) {
    super(
      'TRANSCRIPT_LOST',
      `The session goes on, but no more of it is saved to ${file}: ${limitBytes} bytes wait to be written.`,
    );
  }
}

/** Nothing is known about the files as they were before this message. */
export class CheckpointNotFoundError extends SignalboxError {
  constructor() {
    super('CHECKPOINT_NOT_FOUND', 'No file checkpoint found for this message.');
  }
}

/** A file is changed without a checkpoint: it cannot be rewound. */
export class CheckpointSkippedError extends SignalboxError {
  constructor(path: string, cause: unknown) {
    super('CHECKPOINT_SKIPPED', `${path} cannot be rewound from here on: ${messageOf(cause)}`, { cause });
  }
}

/** A limit of the checkpoints is reached. */
export class CheckpointLimitError extends SignalboxError {
  constructor(what: string) {
    super('CHECKPOINT_LIMIT', `a checkpoint holds ${what}.`);
  }
}

/** Some files could not be put back; the others were. */
export class RewindFailedError extends SignalboxError {
  readonly paths: readonly string[];

  constructor(failures: ReadonlyMap<string, unknown>) {
    const list = [...failures].map(([path, cause]) => `${path} (${messageOf(cause)})`).join(', ');
    super('REWIND_FAILED', `Not every file could be put back: ${list}`);
    this.paths = [...failures.keys()];
  }
}
