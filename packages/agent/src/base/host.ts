import type { OutboundAgentMessage, PermissionResult } from '@signalbox/protocol';

/** Where an agent's messages go. */
export interface Output {
  /** Settles when there is room for the next message. A host that is gone rejects nothing: `lost` tells of it, once. */
  write(message: OutboundAgentMessage): Promise<void>;
  /** Fires when nobody reads any more, with the reason. */
  readonly lost: AbortSignal;
  /** Everything was written; what waits for the end is printed now. */
  finish(): Promise<void>;
}

/** What an agent asks before it uses a tool. */
export interface PermissionQuestion {
  tool_name: string;
  input: Record<string, unknown>;
  tool_use_id: string;
  permission_suggestions?: readonly unknown[];
  blocked_path?: string;
  decision_reason?: string;
  requires_user_interaction?: boolean;
}

/** Who is asked before a tool is used: the host, or a tool that stands in for it. */
export interface PermissionAsker {
  askPermission(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionResult>;
}
