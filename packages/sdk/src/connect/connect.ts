import type { LinkGap, ReconnectPolicy } from '@signalbox/transport';
import { AgentQuery } from '../query/agent-query.ts';
import { Conversation } from '../query/conversation.ts';
import { query } from '../query/query.ts';
import type { SDKUserMessage } from '../types/messages.ts';
import type { Options } from '../types/options.ts';
import type { Query } from '../types/query.ts';
import { type Connection, RemoteAgent } from './remote-agent.ts';

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
 * A {@link Query} on an agent behind a WebSocket. When the connection breaks it comes back; nothing is lost on the way
 * where the peer offers a lossless link. Ending the query ends the connection, and leaves the agent to its peer.
 */
export function connect(url: string | URL, token?: string, options: ConnectOptions = {}): Query {
  const { prompt, headers = {}, reconnect = {}, onGap = warnOfGap, ...rest } = options;
  const dial = async (): Promise<Connection> => {
    // Most programs never dial: they need not load what it takes.
    const { createTransport } = await import('@signalbox/transport/create-transport');
    const identity = token === undefined ? {} : { ingressToken: token };
    // The variables of an agent are not ours: they would send its token to our peer.
    return createTransport(url, { lossless: true, headers, reconnect, onGap, ...identity, env: {} });
  };
  const remote: Options = {
    ...rest,
    // Nothing is run: what is started is a connection.
    pathToClaudeCodeExecutable: process.execPath,
    spawnClaudeCodeProcess: ({ signal }) => new RemoteAgent(dial(), signal),
  };
  return prompt === undefined ? new AgentQuery(new Conversation(remote)) : query({ prompt, options: remote });
}

function warnOfGap({ from, to }: LinkGap): void {
  process.emitWarning(`The peer lost messages of the agent: ${to - from + 1} will never arrive.`, {
    code: 'MESSAGES_LOST',
  });
}
