import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { AnyZodRawShape, InferShape, SdkMcpToolDefinition } from '../types/mcp.ts';

/** Describe a tool for {@link createSdkMcpServer}. What its handler throws, the model is told. */
export function tool<Schema extends AnyZodRawShape>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: (args: InferShape<Schema>, extra: unknown) => Promise<CallToolResult>,
  extras: { annotations?: ToolAnnotations; searchHint?: string; alwaysLoad?: boolean } = {},
): SdkMcpToolDefinition<Schema> {
  const { annotations, searchHint, alwaysLoad } = extras;
  const meta = {
    ...(searchHint === undefined ? {} : { 'anthropic/searchHint': searchHint }),
    ...(alwaysLoad === undefined ? {} : { [ALWAYS_LOAD]: alwaysLoad }),
  };
  return {
    name,
    description,
    inputSchema,
    handler,
    ...(annotations ? { annotations } : {}),
    ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
  };
}

/** Says that a tool's description goes to the model at once, not only when it searches for tools. */
export const ALWAYS_LOAD = 'anthropic/alwaysLoad';
