import {
  encodeHostMessage,
  hasMoreValues,
  isJsonObject,
  isTooDeep,
  type JsonObject,
  JsonTooDeepError,
  LIMITS,
  type SignalboxError,
  valueDepth,
  WireLine,
} from '@signalbox/protocol';
import { TooManyValuesError } from '../../base/request-errors.ts';
import { AskTooLongError } from './ask-errors.ts';

/** The requests of agents that people answer. */
const ASKING = ['can_use_tool', 'elicitation', 'request_user_dialog'] as const;
export type AskSubtype = (typeof ASKING)[number];

/** A question of the agent. */
export interface Ask {
  kind: 'ask';
  requestId: string;
  request: JsonObject;
}

/** What an agent's line has to do with what it asks. */
export type AskLine = Ask | { kind: 'withdrawal'; requestId: string };

/** What a control line of the agent asks of people; undefined when it is about something else, or cannot be read. */
export function askIn(line: WireLine): AskLine | undefined {
  const head = line.head();
  const { type } = head;
  // Most lines are neither, and looking for an id takes longer than to see that.
  if (type !== 'control_request' && type !== 'control_cancel_request') return undefined;
  const { requestId } = head;
  if (requestId === undefined) return undefined;
  if (type === 'control_cancel_request') return { kind: 'withdrawal', requestId };
  if (problemOf(line)) return undefined;
  try {
    return askOf(line.json());
  } catch {
    return undefined;
  }
}

/** Why the hub does not read a line of an agent; undefined when it does. */
export function problemOf(line: WireLine): SignalboxError | undefined {
  if (isTooDeep(line.bytes(), LIMITS.contentDepth)) return new JsonTooDeepError(LIMITS.contentDepth);
  if (!line.head().type?.startsWith('control_')) return undefined;
  if (line.byteLength > LIMITS.askBytes.most) return new AskTooLongError();
  return hasMoreValues(line.text(), LIMITS.bodyValues.most) ? new TooManyValuesError() : undefined;
}

/** The same of a request that was part of another line. */
export function problemOfAsk({ request }: Ask): SignalboxError | undefined {
  if (valueDepth(request) >= LIMITS.contentDepth.most) return new JsonTooDeepError(LIMITS.contentDepth);
  const text = JSON.stringify(request);
  if (text.length > LIMITS.askBytes.most) return new AskTooLongError();
  return hasMoreValues(text, LIMITS.bodyValues.most) ? new TooManyValuesError() : undefined;
}

/** A request as the agent sends it, and lists it when it is greeted again. */
export function askOf(message: unknown): Ask | undefined {
  if (!isJsonObject(message) || typeof message.request_id !== 'string') return undefined;
  const { request_id: requestId, request } = message;
  if (!isJsonObject(request) || subtypeOf(request) === undefined) return undefined;
  if (requestId === '' || requestId.length > LIMITS.requestIdLength.most) return undefined;
  // The store would change it, and nobody could be answered by it.
  if (requestId.includes('\u0000') || Buffer.from(requestId).toString() !== requestId) return undefined;
  return { kind: 'ask', requestId, request };
}

/** Undefined for a request that is no question to people. */
export function subtypeOf({ subtype }: JsonObject): AskSubtype | undefined {
  return ASKING.find((known) => known === subtype);
}

/** The line in which an agent gets its answer. */
export function answerLine(requestId: string, response: JsonObject): string {
  return encodeHostMessage({
    type: 'control_response',
    response: { subtype: 'success', request_id: requestId, response },
  });
}

/** The line in which an agent hears that nobody is going to answer. */
export function refusalLine(requestId: string, error: string, code: string): string {
  return encodeHostMessage({
    type: 'control_response',
    response: { subtype: 'error', request_id: requestId, error, error_code: code },
  });
}

const ANSWERED = Buffer.from('"request_id":"');

/** What whoever waits for an answer gets that is not read; agents write whom it is for ahead of what they say. */
export function failedAnswer(line: WireLine, { code, message }: SignalboxError): WireLine {
  const { buffer, byteOffset, byteLength } = line.bytes();
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const start = bytes.indexOf(ANSWERED) + ANSWERED.length;
  const requestId = bytes.subarray(start, bytes.indexOf('"', start)).toString();
  return WireLine.of(refusalLine(requestId.slice(0, LIMITS.requestIdLength.most), message, code));
}
