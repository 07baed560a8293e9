import type { JsonObject } from '@signalbox/protocol';
import { headOf } from '../base/cut-text.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import type { ListedTool } from './mcp-lists.ts';

/** How much of a description the model is told. */
export const MAX_DESCRIPTION_CHARS = 2048;

/** Runs a tool of a server. */
export type CallMcpTool = (
  input: JsonObject,
  call: { readonly toolUseId: string; readonly signal: AbortSignal },
) => Promise<ToolResult>;

/** A server's tool as one of ours. Whether it only reads is the server's word. */
export function mcpTool(
  name: string,
  listed: ListedTool,
  server: { readonly name: string; readonly source: string },
  call: CallMcpTool,
): Tool {
  return {
    name,
    server: { ...server, toolName: listed.name },
    description: headOf(listed.description ?? listed.title ?? '', MAX_DESCRIPTION_CHARS),
    isReadOnly: listed.annotations?.readOnlyHint === true,
    isEdit: false,
    needsPerson: false,
    inputSchema: () => ({ ...listed.inputSchema, type: 'object' }),
    fromModel: (input) => input,
    paths: () => [],
    run: (input, { toolUseId, signal }) => call(input, { toolUseId, signal }),
  };
}
