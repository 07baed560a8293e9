import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '@signalbox/protocol';
import type { TranscriptMirror } from './sessions/session-mirror.ts';
import type {
  SDKControlGetUsageResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
} from './types/control.ts';
import type { HookInput } from './types/hook-inputs.ts';
import type {
  ElicitationRequest,
  McpServerStatus,
  McpSetServersResult,
  UserDialogRequest,
} from './types/mcp.ts';
import type { SDKMessage } from './types/messages.ts';
import type { CanUseTool } from './types/permissions.ts';
import type {
  RewindFilesResult,
  SDKControlGetContextUsageResponse,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
  SDKControlReadFileResponse,
} from './types/query.ts';

/** What an agent says, by what it says it as: messages, questions, answers to control requests. */
export interface AgentWords {
  message: SDKMessage;
  fields: JsonObject;
  mirror: TranscriptMirror;

  permission: { toolName: string; input: Record<string, unknown> } & Omit<
    Parameters<CanUseTool>[2],
    'signal' | 'requestId'
  >;
  hook: HookInput;
  elicitation: ElicitationRequest;
  dialog: UserDialogRequest;
  mcp: JSONRPCMessage;

  claim: { cwd: string; session_id: string; parked_ms?: number; sdk_mcp_settled?: boolean };
  initialize: SDKControlInitializeResponse;
  interrupt: Partial<SDKControlInterruptResponse>;
  mcp_status: { mcpServers: McpServerStatus[] };
  mcp_set_servers: McpSetServersResult;
  get_context_usage: SDKControlGetContextUsageResponse;
  get_usage: SDKControlGetUsageResponse;
  mcp_read_resource: SDKControlMcpReadResourceResponse;
  reload_output_styles: SDKControlReloadOutputStylesResponse;
  reload_plugins: SDKControlReloadPluginsResponse;
  reload_skills: SDKControlReloadSkillsResponse;
  set_mcp_permission_mode_override: { warning?: string };
  read_file: Partial<SDKControlReadFileResponse>;
  rewind_files: RewindFilesResult;
}

/**
 * Take an agent at its word. This package checks no shapes: a newer agent's message must reach its reader as it is, and
 * checking would cost more than all else that is done with it.
 */
export function atItsWord<K extends keyof AgentWords>(_said: K, value: unknown): AgentWords[K] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where unchecked words get a type
  return value as AgentWords[K];
}
