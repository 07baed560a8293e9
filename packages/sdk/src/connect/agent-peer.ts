import { isJsonObject, WireLine } from '@signalbox/protocol';

/** What stands between a host and its agent: it may add lines of its own, which are not for the conversation. */
export interface AgentPeer {
  /** A line as the peer wants it. */
  outgoing(line: WireLine): WireLine;
  /** What of a line is for the conversation. Throws when the peer refuses to go on. */
  incoming(line: WireLine): readonly WireLine[];
  /** Prompts of this host that wait for turns of others to end. */
  readonly queuedPrompts: number;
}

/** One that passes lines on, and no more. */
export const PLAIN_PEER: AgentPeer = {
  outgoing: (line) => line,
  incoming: (line) => [line, ...openQuestionsIn(line)],
  queuedPrompts: 0,
};

/** The fields of a message; none for what is no object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

/** An agent that was asked to initialize before refuses, and says which of its questions nobody has answered. */
function openQuestionsIn(line: WireLine): WireLine[] {
  if (line.head().type !== 'control_response' || line.isTooDeep) return [];
  const { pending_permission_requests: open } = fieldsOf(fieldsOf(line.json())['response']);
  return Array.isArray(open) ? open.map((question) => WireLine.of(JSON.stringify(question))) : [];
}
