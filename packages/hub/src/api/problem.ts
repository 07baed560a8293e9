import { SignalboxError } from '@signalbox/protocol';
import { AgentNotStartedError } from '../launch/launch-errors.ts';

/** What a client is told when something fails (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  /** The session that there is all the same. */
  session?: string;
}

const STATUS: Record<string, [number, string]> = {
  REQUEST_INVALID: [400, 'Bad Request'],
  JSON_TOO_DEEP: [400, 'Bad Request'],
  LINE_TOO_LONG: [413, 'Content Too Large'],
  MESSAGE_INVALID: [400, 'Bad Request'],
  MESSAGE_NOT_SENDABLE: [400, 'Bad Request'],
  STORE_ARGUMENT: [400, 'Bad Request'],
  UNAUTHENTICATED: [401, 'Unauthorized'],
  SIGN_IN_LINK_INVALID: [401, 'Unauthorized'],
  FORBIDDEN: [403, 'Forbidden'],
  ORIGIN_REFUSED: [403, 'Forbidden'],
  ASK_CHANGE_FORBIDDEN: [403, 'Forbidden'],
  ROUTE_NOT_FOUND: [404, 'Not Found'],
  DOOR_NOT_FOUND: [404, 'Not Found'],
  ASK_NOT_FOUND: [404, 'Not Found'],
  STORE_NOT_FOUND: [404, 'Not Found'],
  STORE_SESSION_NOT_FOUND: [404, 'Not Found'],
  BODY_TOO_SLOW: [408, 'Request Timeout'],
  STORE_SESSION_EXISTS: [409, 'Conflict'],
  SESSION_CONNECTED: [409, 'Conflict'],
  SEAT_TAKEN: [409, 'Conflict'],
  PROMPT_NOT_WAITING: [409, 'Conflict'],
  PROMPT_ID_TAKEN: [409, 'Conflict'],
  OUTCOME_UNKNOWN: [409, 'Conflict'],
  AGENT_NOT_CONNECTED: [409, 'Conflict'],
  SESSION_NOT_LAUNCHED: [409, 'Conflict'],
  NOTHING_TO_RESUME: [409, 'Conflict'],
  LAUNCH_UNDER_WAY: [409, 'Conflict'],
  BRIDGE_RUNNING: [409, 'Conflict'],
  BODY_TOO_LONG: [413, 'Content Too Large'],
  TOO_MANY_VALUES: [413, 'Content Too Large'],
  STORE_LIMIT: [413, 'Content Too Large'],
  CONTENT_TYPE: [415, 'Unsupported Media Type'],
  ASK_ANSWER_INVALID: [422, 'Unprocessable Content'],
  IDEMPOTENCY_KEY_REUSED: [422, 'Unprocessable Content'],
  SESSION_FILE_INVALID: [422, 'Unprocessable Content'],
  STORE_UNREADABLE: [422, 'Unprocessable Content'],
  STORE_UNSENDABLE: [422, 'Unprocessable Content'],
  CONTROL_REFUSED: [422, 'Unprocessable Content'],
  AGENT_NOT_FOUND: [422, 'Unprocessable Content'],
  FOLDER_NOT_FOUND: [422, 'Unprocessable Content'],
  SIGN_IN_LIMIT: [429, 'Too Many Requests'],
  DEVICE_LIMIT: [429, 'Too Many Requests'],
  CONTROL_CLOSED: [502, 'Bad Gateway'],
  AGENT_NOT_STARTED: [502, 'Bad Gateway'],
  AGENT_NOT_READING: [503, 'Service Unavailable'],
  STORE_BUSY: [503, 'Service Unavailable'],
  STORE_CLOSED: [503, 'Service Unavailable'],
  CONTROL_TIMEOUT: [504, 'Gateway Timeout'],
  AGENT_NOT_STOPPED: [504, 'Gateway Timeout'],
  STORE_FULL: [507, 'Insufficient Storage'],
};

/** What may be told of an error: those of our own say what to do, others may say what nobody should know. */
export function problemOf(error: unknown): Problem {
  const code = error instanceof SignalboxError ? error.code : 'UNEXPECTED';
  const [status, title] = STATUS[code] ?? [500, 'Internal Server Error'];
  const detail = error instanceof SignalboxError ? error.message : 'The hub failed. Its log says why.';
  const session = error instanceof AgentNotStartedError ? { session: error.session } : {};
  return { type: 'about:blank', title, status, detail, code, ...session };
}
