import { anyObject, choice, type Inbound, list, literal, map, object, optional, text } from './wire.ts';

export const mcpServerConfig = object({
  type: optional(choice(['stdio', 'sse', 'http', 'sdk'])),
  command: optional(text),
  args: optional(list(text)),
  env: optional(map(text)),
  url: optional(text),
  headers: optional(map(text)),
  name: optional(text),
});

export const mcpServerStatus = object({
  name: text,
  status: choice(['connected', 'failed', 'disabled', 'connecting', 'pending', 'needs-auth']),
  serverInfo: optional(object({ name: text, version: text })),
  error: optional(text),
  config: optional(anyObject),
  scope: optional(text),
  tools: optional(
    list(object({ name: text, description: optional(text), annotations: optional(anyObject) })),
  ),
});

export const mcpMessageRequest = object({
  subtype: literal('mcp_message'),
  server_name: text,
  message: anyObject,
});

/** How to reach an MCP server. `sdk` servers live in the host. */
export type McpServerConfig = Inbound<typeof mcpServerConfig>;

/** What an agent says about one of its MCP servers. */
export type McpServerStatus = Inbound<typeof mcpServerStatus>;
