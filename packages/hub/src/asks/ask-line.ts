import { encodeHostMessage, isJsonObject, type JsonObject, type WireLine } from '@signalbox/protocol';

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

/** What a control line of the agent asks of people; undefined when it is about something else. */
export function askIn(line: WireLine): AskLine | undefined {
  const head = line.head();
  const { type } = head;
  // Most lines are neither, and looking for an id takes longer than to see that.
  if (type !== 'control_request' && type !== 'control_cancel_request') return undefined;
  const { requestId } = head;
  if (requestId === undefined) return undefined;
  if (type === 'control_cancel_request') return { kind: 'withdrawal', requestId };
  try {
    return askOf(line.json());
  } catch {
    return undefined;
  }
}

/** A request as the agent sends it, and lists it when it is greeted again. */
export function askOf(message: unknown): Ask | undefined {
  if (!isJsonObject(message) || typeof message.request_id !== 'string') return undefined;
  const { request_id: requestId, request } = message;
  if (!isJsonObject(request) || subtypeOf(request) === undefined) return undefined;
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
