import type { SDKUserMessage } from './messages.ts';
import type { AgentDefinition } from './options.ts';
import type { PermissionMode } from './permissions.ts';
import type { Query } from './query.ts';

/** An agent that was started ahead, for a conversation whose first prompt is not there yet. */
export interface WarmQuery extends AsyncDisposable {
  /** Send the prompt. Once only. */
  query(prompt: string | AsyncIterable<SDKUserMessage>): Query;
  /** End the agent, where it is not needed. */
  close(): void;
}

/** What a session gets that a spare agent is claimed for; all else was settled when it was started. */
export interface ClaimOptions {
  cwd: string;
  /** Only what the agent takes that late: tokens, and the host's id of the session. */
  env?: Record<string, string>;
  additionalDirectories?: string[];
  model?: string;
  /** The claim fails if the agent cannot take it. */
  permissionMode?: PermissionMode;
  maxThinkingTokens?: number | null;
  /** Settings on top, as for `applyFlagSettings`. Those about hooks belong into the options of `prewarm`. */
  settings?: Record<string, unknown>;
  appendSystemPrompt?: string;
  title?: string;
  agents?: Record<string, AgentDefinition>;
}

/** What a spare agent became. */
export interface Claim {
  cwd: string;
  sessionId: string;
  /** How long it waited. */
  parkedMs?: number;
  /** Whether the servers of this process had answered by then. */
  sdkMcpSettled: boolean;
}

/** An agent that was started ahead, before it is known for which session. */
export interface SpareProcess extends AsyncDisposable {
  /** Make it a session, and send the first prompt. Once only. */
  claim(params: { prompt: string | AsyncIterable<SDKUserMessage>; options: ClaimOptions }): Query;
  /** Rejects when the agent does not become the session; then start it with `query`. */
  readonly claimed: Promise<Claim>;
  /** Settles when the agent is gone, claimed or not. */
  readonly exited: Promise<void>;
  close(): void;
}
