import { encodeHostMessage, isJsonObject, type JsonObject, type WireLine } from '@signalbox/protocol';

/** A question of the agent. */
export interface Ask {
  kind: 'ask';
  requestId: string;
  request: JsonObject;
}

/** What an agent's line has to do with permissions. */
export type AskLine = Ask | { kind: 'withdrawal'; requestId: string };

/** What a control line of the agent says about permissions; undefined when it is about something else. */
export function askIn(line: WireLine): AskLine | undefined {
  const { type, requestId } = line.head();
  if (requestId === undefined) return undefined;
  if (type === 'control_cancel_request') return { kind: 'withdrawal', requestId };
  if (type !== 'control_request') return undefined;
  try {
    return askOf(line.json());
  } catch {
    return undefined;
  }
}

/** A permission request as the agent sends it, and lists it when it is greeted again. */
export function askOf(message: unknown): Ask | undefined {
  if (!isJsonObject(message) || typeof message.request_id !== 'string') return undefined;
  const { request_id: requestId, request } = message;
  if (!isJsonObject(request) || request.subtype !== 'can_use_tool') return undefined;
  return { kind: 'ask', requestId, request };
}

/** The line in which an agent gets its answer. */
export function answerLine(requestId: string, response: JsonObject): string {
  return encodeHostMessage({
    type: 'control_response',
    response: { subtype: 'success', request_id: requestId, response },
  });
}
