import type { ListedTool } from './mcp-lists.ts';
import type { McpServer } from './mcp-server.ts';
import { publicConfig } from './secrets.ts';

/** What a host is told about a server. */
export interface McpStatus {
  name: string;
  status: McpServer['state']['name'];
  serverInfo?: { name: string; version: string };
  error?: string;
  config?: Record<string, unknown>;
  scope: string;
  tools?: { name: string; description?: string; annotations: Record<string, unknown> }[];
}

/** A server as a host may see it: without its secrets. */
export function statusOf({ name, scope, config, state, connection }: McpServer): McpStatus {
  const serverInfo = connection?.serverInfo;
  const shown = publicConfig(config);
  return {
    name,
    status: state.name,
    ...(serverInfo ? { serverInfo } : {}),
    ...('reason' in state ? { error: state.reason } : {}),
    ...(shown ? { config: shown } : {}),
    scope,
    ...(connection ? { tools: connection.tools.map(toolStatus) } : {}),
  };
}

function toolStatus({ name, description, annotations }: ListedTool): NonNullable<McpStatus['tools']>[number] {
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations ?? {};
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    annotations: {
      ...(readOnlyHint === undefined ? {} : { readOnly: readOnlyHint }),
      ...(destructiveHint === undefined ? {} : { destructive: destructiveHint }),
      ...(openWorldHint === undefined ? {} : { openWorld: openWorldHint }),
    },
  };
}
