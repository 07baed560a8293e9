import * as z from 'zod/mini';
import { defineTool, type Tool } from '../tools/tool.ts';
import { resourceListOf, resourceResultOf } from './mcp-content.ts';
import type { McpServers } from './mcp-servers.ts';
import { maxOutputTokens } from './mcp-settings.ts';

/** The tools that find and read resources of MCP servers; none where no connected server has any. */
export function mcpResourceTools(servers: McpServers): Tool[] {
  if (!servers.haveResources) return [];
  return [
    defineTool({
      name: 'ListMcpResourcesTool',
      description: 'List the resources that MCP servers offer: all of them, or those of one `server`.',
      input: z.object({ server: z.optional(z.string()) }),
      isReadOnly: true,
      run: async ({ server }, { signal, session }) =>
        resourceListOf(await servers.resources(server, signal), maxOutputTokens(session.env)),
    }),
    defineTool({
      name: 'ReadMcpResourceTool',
      description: 'Read a resource of an MCP server, named by `server` and `uri`.',
      input: z.object({ server: z.string(), uri: z.string() }),
      isReadOnly: true,
      run: async ({ server, uri }, { signal, session }) =>
        resourceResultOf(await servers.readResource(server, uri, signal), maxOutputTokens(session.env)),
    }),
  ];
}
