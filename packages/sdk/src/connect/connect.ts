import { messageOf } from '@signalbox/protocol';
import type { LinkGap, ReconnectPolicy } from '@signalbox/transport';
import { checkOptions } from '../options/check-options.ts';
import type { StartAgent } from '../process/agent-process.ts';
import { AgentQuery } from '../query/agent-query.ts';
import { Conversation } from '../query/conversation.ts';
import { converse } from '../query/query.ts';
import { CLIConnectionError } from '../sdk-errors.ts';
import type { SDKUserMessage } from '../types/messages.ts';
import type { Options } from '../types/options.ts';
import type { Query } from '../types/query.ts';
import { PLAIN_PEER } from './agent-peer.ts';
import { HubPeer, hubWireUrl } from './hub-peer.ts';
import { RemoteAgent } from './remote-agent.ts';

/** How to talk to an agent that runs elsewhere. What would start one is not among it. */
export interface ConnectOptions
  extends Pick<
    Options,
    | 'abortController'
    | 'controlTimeoutMs'
    | 'canUseTool'
    | 'hooks'
    | 'onElicitation'
    | 'onUserDialog'
    | 'supportedDialogKinds'
    | 'mcpServers'
    | 'agents'
    | 'systemPrompt'
    | 'outputFormat'
  > {
  /** What to say first. Without it the query listens, and `streamInput` sends prompts. */
  prompt?: string | AsyncIterable<SDKUserMessage>;
  headers?: Record<string, string>;
  reconnect?: Partial<ReconnectPolicy>;
  /** Messages are lost for good, because the peer lost them. A warning of the process unless given. */
  onGap?: (gap: LinkGap) => void;
}

/**
 * A {@link Query} on an agent elsewhere: `https://hub/api/sessions/<id>` of a hub, or any WebSocket that passes an agent's
 * lines on. When the connection breaks it comes back; with a hub nothing is lost or doubled on the way, nor with others
 * that offer a lossless link. Ending the query ends the connection, and leaves the agent to its peer.
 */
export function connect(url: string | URL, token?: string, options: ConnectOptions = {}): Query {
  const { prompt, headers = {}, reconnect = {}, onGap = warnOfGap, ...rest } = options;
  checkOptions(rest);
  const wire = hubWireUrl(url);
  const hub = wire && new HubPeer({ answers: answeredBy(options), onGap });
  const start: StartAgent = async (_options, signal) => {
    // Most programs never dial: they need not load what it takes.
    const { createTransport } = await import('@signalbox/transport/create-transport');
    const identity = token === undefined ? {} : { ingressToken: token };
    // The hub's are read at every dial: the place to go on from is among them.
    const all = hub ? Object.assign(hub.headers, headers) : headers;
    try {
      // The variables of an agent are not ours: they would send its token to our peer.
      const dialled = { lossless: true, headers: all, reconnect, onGap, ...identity, env: {} };
      return new RemoteAgent(createTransport(wire ?? url, dialled), hub ?? PLAIN_PEER, signal);
    } catch (cause) {
      throw new CLIConnectionError(messageOf(cause), cause);
    }
  };
  const conversation = new Conversation(rest, start);
  return prompt === undefined ? new AgentQuery(conversation) : converse(conversation, prompt);
}

/** A question that this host cannot answer is left to the others. */
function answeredBy({ canUseTool, onElicitation, onUserDialog }: ConnectOptions): ReadonlySet<string> {
  return new Set([
    ...(canUseTool ? ['can_use_tool'] : []),
    ...(onElicitation ? ['elicitation'] : []),
    ...(onUserDialog ? ['request_user_dialog'] : []),
  ]);
}

function warnOfGap({ from, to }: LinkGap): void {
  process.emitWarning(`The peer lost messages of the agent: ${to - from + 1} will never arrive.`, {
    code: 'MESSAGES_LOST',
  });
}
