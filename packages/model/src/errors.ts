import { SignalboxError } from '@signalbox/protocol';

const PROBLEMS_SHOWN = 10;

/** One thing wrong with a scenario, and where: `turns[2].say[0]`. */
export interface ScenarioProblem {
  readonly path: string;
  readonly message: string;
}

/** A scenario that cannot be used: names its source, the places in it and what was expected there. */
export class ScenarioError extends SignalboxError {
  readonly source: string;
  readonly problems: readonly ScenarioProblem[];

  constructor(source: string, problems: readonly ScenarioProblem[], cause?: unknown) {
    const shown = problems
      .slice(0, PROBLEMS_SHOWN)
      .map(({ path, message }) => `${path && `${path}: `}${message}`);
    const rest = problems.length - shown.length;
    const lines = rest > 0 ? [...shown, `and ${rest} more`] : shown;
    super('SCENARIO_INVALID', [`${source} is not valid:`, ...lines].join('\n  '), { cause });
    this.source = source;
    this.problems = problems;
  }
}

/** Neither a built-in scenario nor a readable file. */
export class ScenarioNotFoundError extends SignalboxError {
  constructor(name: string, hint: string, cause: unknown) {
    super('SCENARIO_NOT_FOUND', `no built-in scenario and no readable file is called "${name}"${hint}`, {
      cause,
    });
  }
}

/** A scenario file past the limit. */
export class ScenarioTooLargeError extends SignalboxError {
  constructor(file: string, size: number, limit: number) {
    super('SCENARIO_TOO_LARGE', `${file} has ${size} bytes; a scenario has at most ${limit}`);
  }
}

/** The script has no turn for a request; the message names the turns that came nearest. */
export class ScenarioNoMatchError extends SignalboxError {
  constructor(message: string) {
    super('SCENARIO_NO_MATCH', message);
  }
}

/** Too many injected faults are waiting. */
export class FaultQueueFullError extends SignalboxError {
  constructor(limit: number) {
    super('FAULT_QUEUE_FULL', `${limit} faults are waiting already`);
  }
}

/** No request came that a test waited for. */
export class RequestWaitError extends SignalboxError {
  constructor(timeoutMs: number, seen: number) {
    super('MODEL_WAIT_TIMEOUT', `no request fitted within ${timeoutMs} ms; ${seen} came`);
  }
}

/** The address cannot be listened on. */
export class ModelListenError extends SignalboxError {
  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    const message =
      cause.code === 'EADDRINUSE'
        ? `port ${port} on ${host} is in use: choose another, or 0 for any free one`
        : `cannot listen on ${host}:${port}: ${cause.message}`;
    super('MODEL_LISTEN_FAILED', message, { cause });
  }
}

/** Arguments of the command that make no sense. */
export class ModelUsageError extends SignalboxError {
  constructor(message: string) {
    super('MODEL_USAGE', `${message}; see signalbox model --help`);
  }
}

/** An upstream to record that is not an address. Its text is not repeated: a wrong one may well hold a key. */
export class UpstreamInvalidError extends SignalboxError {
  constructor() {
    super('UPSTREAM_INVALID', 'the upstream must be an http or https address without credentials or query');
  }
}

/** A reply that was passed on, but is too much for the recording. */
export class RecordingFullError extends SignalboxError {
  constructor(file: string, what: string) {
    super('RECORDING_FULL', `${what}: it was passed on, but not recorded in ${file}`);
  }
}

/** The recording cannot be written. */
export class RecordingWriteError extends SignalboxError {
  constructor(file: string, cause: unknown) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const reason = exists
      ? 'the file exists already'
      : cause instanceof Error
        ? cause.message
        : String(cause);
    super('RECORDING_WRITE_FAILED', `cannot record into ${file}: ${reason}`, { cause });
  }
}
