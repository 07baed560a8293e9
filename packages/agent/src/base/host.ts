import type { OutboundAgentMessage, PermissionResult } from '@signalbox/protocol';

/** Where an agent's messages go. */
export interface Output {
  write(message: OutboundAgentMessage): Promise<void>;
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
