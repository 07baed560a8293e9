import { STATUS_CODES } from 'node:http';
import { SignalboxError } from '@signalbox/protocol';
import { PROBLEM_STATUS, type Problem } from '@signalbox/protocol/hub/routes';
import { AgentNotStartedError } from '../../launch/launch-errors.ts';

const STATUS: Readonly<Record<string, number>> = PROBLEM_STATUS;

/** Names of the statuses that Node calls by older ones. */
const TITLES: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

/** What may be told of an error: those of our own say what to do, others may say what nobody should know. */
export function problemOf(error: unknown): Problem {
  const code = error instanceof SignalboxError ? error.code : 'UNEXPECTED';
  const status = STATUS[code] ?? 500;
  const title = TITLES[status] ?? STATUS_CODES[status] ?? '';
  const detail = error instanceof SignalboxError ? error.message : 'The hub failed. Its log says why.';
  const session = error instanceof AgentNotStartedError ? { session: error.session } : {};
  return { type: 'about:blank', title, status, detail, code, ...session };
}
