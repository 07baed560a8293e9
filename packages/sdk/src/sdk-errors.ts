import { messageOf, SignalboxError } from '@signalbox/protocol';
import type { SDKResultMessage } from './types/messages.ts';

/** How much of a line that is not JSON an error shows. */
const MAX_SHOWN_CHARS = 200;

/** The agent could not be started, or is not connected. */
export class CLIConnectionError extends SignalboxError {
  constructor(message: string, cause?: unknown) {
    super('CLI_CONNECTION', message, { cause });
  }
}

/** No port could be listened on for agents. */
export class ListenError extends SignalboxError {
  constructor(port: number | undefined, cause: unknown) {
    const where = port === undefined ? 'None of the ports 8765 to 8864' : `Port ${port}`;
    super('LISTEN_FAILED', `${where} can be listened on: ${messageOf(cause)}`, { cause });
  }
}

/** There is no agent to run. */
export class CLINotFoundError extends SignalboxError {
  constructor(message: string, cause?: unknown) {
    super('CLI_NOT_FOUND', message, { cause });
  }
}

/** How an agent ended that should not have ended so. */
export interface ProcessFailure {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** The end of what the agent wrote to stderr. */
  stderr: string;
}

/** The agent ended with an exit code or by a signal. */
export class ProcessError extends SignalboxError {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;

  constructor(failure: ProcessFailure) {
    super('PROCESS_FAILED', describe(failure));
    this.exitCode = failure.exitCode;
    this.signal = failure.signal;
    this.stderr = failure.stderr;
  }
}

/** The agent left with an exit code because its last turn failed: `result` says how, `cause` is the exit. */
export class ResultError extends SignalboxError {
  readonly result: SDKResultMessage;

  constructor(result: SDKResultMessage, cause: ProcessError) {
    // A turn that an API error ended is called a success, with the error as its text.
    const why = result.subtype === 'success' ? [] : [`with ${result.subtype}`];
    const reasons = [['The last turn of the agent failed', ...why].join(' '), ...wordsOf(result)];
    super('RESULT_ERROR', `${reasons.join(': ')} (${cause.message})`, { cause });
    this.result = result;
  }
}

/** The agent has no credentials for its model, or none that are good. */
export class AuthenticationError extends SignalboxError {
  readonly result: SDKResultMessage;

  constructor(result: SDKResultMessage, cause: ProcessError) {
    super('NOT_AUTHENTICATED', `${[NOT_AUTHENTICATED, ...wordsOf(result)].join('\n  ')}\n${SIGN_IN}`, {
      cause,
    });
    this.result = result;
  }
}

const NOT_AUTHENTICATED = 'The agent was not let in by its model. It says:';

const SIGN_IN = [
  'Do one of these:',
  '  Set ANTHROPIC_API_KEY, in the environment or in options.env.',
  '  Run claude once in a terminal and log in, if that is the agent you use.',
  '  Try it without a key, on a scripted model: npx signalbox model --script puppet -- node <your program>',
].join('\n');

/** The agent began a message that is not JSON. */
export class JSONDecodeError extends SignalboxError {
  /** The line as it came. */
  readonly line: string;

  constructor(line: string, cause: unknown) {
    const shown = line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
    super('JSON_DECODE', `The agent wrote a line that is not JSON: ${shown}`, { cause });
    this.line = line;
  }
}

/** The caller aborted the conversation. */
export class AbortError extends SignalboxError {
  constructor(cause?: unknown) {
    super('ABORTED', 'Claude Code process aborted by user', { cause });
  }
}

function describe({ exitCode, signal, stderr }: ProcessFailure): string {
  const ending = signal === null ? `exited with code ${exitCode}` : `terminated by signal ${signal}`;
  const words = stderr.trim();
  return `Claude Code process ${ending}${words ? `. stderr: ${words}` : ''}`;
}

function wordsOf(result: SDKResultMessage): string[] {
  return result.subtype === 'success' ? [result.result] : (result.errors ?? []);
}
