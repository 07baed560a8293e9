import type {
  ControlRequestBody,
  JsonObject,
  OutboundAgentMessage,
  PermissionResult,
  RequestOptions,
} from '@signalbox/protocol';

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
  /** Waits as long as it takes. Rejects when the signal fires. */
  ask(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionResult>;
}

/** Whoever an agent works for. It is there before the session is, which is made of it. */
export interface Host extends Output, PermissionAsker {
  /** False for one that only listens: what it is asked is rejected. */
  readonly answers: boolean;
  /** Ask for something that only the host can do. */
  request(body: ControlRequestBody, options?: RequestOptions): Promise<JsonObject>;
}
