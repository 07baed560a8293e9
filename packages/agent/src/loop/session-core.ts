import type { OutboundAgentMessage } from '@signalbox/protocol';
import type { AgentOptions } from '../command-line/agent-options.ts';
import type { HostLink } from '../io/host-link.ts';
import type { ModelClient } from '../model/model-client.ts';
import type { PermissionStore } from '../permission/permission-store.ts';
import type { FileCheckpoints } from '../session/file-checkpoints.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolSession } from '../tools/tool-session.ts';
import type { Accounting } from './accounting.ts';
import type { History } from './history.ts';

/** What a turn works with; it lives as long as the session. */
export interface SessionCore {
  readonly id: string;
  readonly options: AgentOptions;
  readonly model: ModelClient;
  readonly history: History;
  readonly permissions: PermissionStore;
  readonly toolSession: ToolSession;
  readonly accounting: Accounting;
  /** Absent when nobody can be asked for permission. */
  host: HostLink | undefined;
  /** The full name of the model in use. */
  modelName: string;
  /** How much of the model's context the conversation filled at the last reply. */
  contextTokens: number;
  maxThinkingTokens: number | undefined;
  systemPrompt: string;
  tools: readonly Tool[];
  /** What the model handed over for the schema it was given; each turn starts without. */
  structured: { isWanted: boolean; value: unknown };
  /** Absent when files are not kept. */
  checkpoints: FileCheckpoints | undefined;
  /** Tell the host, and the transcript where the message belongs there. */
  emit(message: OutboundAgentMessage): Promise<void>;
}

/** The fields that every message of a session carries. */
export function stamp(session: { readonly id: string }) {
  return { session_id: session.id, uuid: crypto.randomUUID() };
}
