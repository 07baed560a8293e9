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

/** What kind of thing made an agent ask; hosts decide by it, so the words are those of the protocol. */
export type ReasonType = 'rule' | 'mode' | 'hook' | 'workingDir' | 'safetyCheck' | 'other';

/** What an agent asks before it uses a tool. */
export interface PermissionQuestion {
  tool_name: string;
  input: Record<string, unknown>;
  tool_use_id: string;
  /** The tool's name as people read it. */
  display_name?: string;
  /** What the call is about, in a few words: for a command those of the model, else a path, an address or the like. */
  description?: string;
  /** Where the tool comes from, if it is not the agent's own. */
  mcp_server?: { name: string; source: string };
  permission_suggestions?: readonly unknown[];
  blocked_path?: string;
  decision_reason?: string;
  decision_reason_type?: ReasonType;
  agent_id?: string;
  requires_user_interaction?: boolean;
}

/** An answer to a question of an earlier run of the session, which ended before it came. */
export interface LateAnswer {
  readonly type: 'late_answer';
  readonly uuid?: undefined;
  /** The call that was asked about. */
  readonly toolUseId: string;
  readonly result: PermissionResult;
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
