import { messageOf, SignalboxError } from '@signalbox/protocol';

/** The server said no to events in a way that another attempt would not change. */
export class HybridPostRefusedError extends SignalboxError {
  readonly status: number;

  constructor(target: string, status: number, problem: string) {
    const said = problem === '' ? '' : ` It said: ${problem}`;
    super('HYBRID_POST_REFUSED', `POST ${target} was answered ${status}. ${adviceFor(status)}${said}`);
    this.status = status;
  }
}

/** Events could not be posted, and the attempts are used up. */
export class HybridPostFailedError extends SignalboxError {
  constructor(target: string, attempts: number, cause: unknown) {
    super(
      'HYBRID_POST_FAILED',
      `POST ${target} failed ${attempts} times, last: ${reasonOf(cause)}. Check that the server is up and reachable.`,
      { cause },
    );
  }
}

/** A refusal at every address of a host has no message of its own. */
function reasonOf(cause: unknown): string {
  return cause instanceof AggregateError ? cause.errors.map(messageOf).join(', ') : messageOf(cause);
}

function adviceFor(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return 'Check the access token (CLAUDE_CODE_SESSION_ACCESS_TOKEN): it is missing, wrong or expired.';
    case 404:
      return 'The server does not know this session: check the URL.';
    case 410:
      return 'The session is over.';
    case 413:
      return 'A message is larger than the server allows: raise its limit.';
    default:
      return 'Check that the URL belongs to a server that takes session events.';
  }
}
