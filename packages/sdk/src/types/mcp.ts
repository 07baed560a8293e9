import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ElicitResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { ZodRawShape as ZodRawShape3 } from 'zod/v3';
import type { ZodRawShape as ZodRawShape4 } from 'zod/v4';

interface ServerExtras {
  timeout?: number;
  alwaysLoad?: boolean;
}

/** A server that the agent starts. */
export type McpStdioServerConfig = ServerExtras & {
  type?: 'stdio';
  command: string;
  args?: string[];
  env?: Record<string, string>;
};
/** A server that the agent reaches by server-sent events. */
export type McpSSEServerConfig = ServerExtras & {
  type: 'sse';
  url: string;
  headers?: Record<string, string>;
};
/** A server that the agent reaches by HTTP. */
export type McpHttpServerConfig = ServerExtras & {
  type: 'http';
  url: string;
  headers?: Record<string, string>;
};
/** A server that lives in this process, as the agent knows it. */
export interface McpSdkServerConfig {
  type: 'sdk';
  name: string;
  timeout?: number;
}
/** A server that lives in this process. */
export type McpSdkServerConfigWithInstance = McpSdkServerConfig & { instance: McpServer };

/** An MCP server for the agent. */
export type McpServerConfig =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfigWithInstance;

/** An MCP server as the agent is told of it. */
export type McpServerConfigForProcessTransport =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfig;

/** A server that the agent reaches through the account of its user. */
export interface McpClaudeAIProxyServerConfig {
  type: 'claudeai-proxy';
  url: string;
  id: string;
  timeout?: number;
}

/** An MCP server as an agent tells of it. */
export type McpServerStatusConfig = McpServerConfigForProcessTransport | McpClaudeAIProxyServerConfig;

/** Which server a tool belongs to, and where that is configured. */
export interface McpServerProvenance {
  name: string;
  source: string;
}

/** What is decided about a tool of a server, whatever the rules say. */
export interface McpServerToolPolicy {
  name: string;
  permission_policy?: 'always_allow' | 'always_ask' | 'always_deny';
  org_max_permission?: 'allow' | 'ask' | 'blocked';
}

/** What an agent says about one of its MCP servers. */
export interface McpServerStatus {
  name: string;
  status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';
  serverInfo?: { name: string; version: string };
  error?: string;
  config?: McpServerStatusConfig;
  scope?: string;
  source?: string;
  tools?: {
    name: string;
    description?: string;
    annotations?: { readOnly?: boolean; destructive?: boolean; openWorld?: boolean };
    _meta?: Record<string, unknown>;
  }[];
}

/** What changed when the servers were set anew. */
export interface McpSetServersResult {
  added: string[];
  removed: string[];
  errors: Record<string, string>;
}

/** Zod schemas by the name of the field, of Zod 3 or 4. */
export type AnyZodRawShape = ZodRawShape3 | ZodRawShape4;

/** The values that such schemas let through. */
export type InferShape<T extends AnyZodRawShape> = {
  [K in keyof T]: T[K] extends { _output: infer O } ? O : never;
} & {};

/** A tool of a server that lives in this process. */
export interface SdkMcpToolDefinition<Schema extends AnyZodRawShape = AnyZodRawShape> {
  name: string;
  description: string;
  inputSchema: Schema;
  annotations?: ToolAnnotations;
  _meta?: Record<string, unknown>;
  handler(this: void, args: InferShape<Schema>, extra: unknown): Promise<CallToolResult>;
}

/** What an MCP server wants to know of the user. */
export interface ElicitationRequest {
  serverName: string;
  message: string;
  mode?: 'form' | 'url';
  url?: string;
  elicitationId?: string;
  requestedSchema?: Record<string, unknown>;
  title?: string;
  displayName?: string;
  description?: string;
}
export type ElicitationResult = ElicitResult;

/** Asks the user; `null` leaves the question to somebody else. Without it questions are declined. */
export type OnElicitation = (
  request: ElicitationRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<ElicitationResult | null>;

/** A dialog that the agent wants to be shown. */
export interface UserDialogRequest {
  dialogKind: string;
  payload: Record<string, unknown>;
  toolUseID?: string;
}
export type UserDialogResult = { behavior: 'completed'; result: unknown } | { behavior: 'cancelled' };

/** Shows a dialog; `null` leaves it to somebody else. */
export type OnUserDialog = (
  request: UserDialogRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<UserDialogResult | null>;
