import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AGENT_VERSION } from '../base/version.ts';
import type { AgentSession } from '../conversation/agent-session.ts';
import type { ToolOutcome } from '../loop/tool-outcome.ts';
import { useTool } from '../loop/use-tool.ts';
import { findTool, type Tool } from '../tools/tool.ts';

/** How many calls of a client may be under way. */
export const MAX_SERVED_CALLS = 64;

/** What makes no sense where no person and no conversation is. */
const NOT_SERVED = new Set(['EnterPlanMode', 'ExitPlanMode', 'StructuredOutput']);

/** The tools of a session for an MCP client. Calls that change something are made one after the other, as in a turn. */
export function toolServer(session: AgentSession): Server {
  const server = new Server(
    { name: 'signalbox-agent', version: AGENT_VERSION },
    { capabilities: { tools: {} } },
  );
  const { core, thread } = session;
  const tools = (): Tool[] =>
    thread.tools().filter(({ name, needsPerson }) => !needsPerson && !NOT_SERVED.has(name));
  let changes: Promise<unknown> = Promise.resolve();
  let calls = 0;
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools().map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema(),
      annotations: { readOnlyHint: tool.isReadOnly },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = findTool(tools(), params.name);
    if (!tool) throw new McpError(ErrorCode.InternalError, `Tool ${params.name} not found`);
    if (calls >= MAX_SERVED_CALLS)
      throw new McpError(ErrorCode.InternalError, `${MAX_SERVED_CALLS} calls are under way already`);
    const id = `toolu_${crypto.randomUUID().replaceAll('-', '')}`;
    const context = { session: thread.toolSession, toolUseId: id, signal };
    const make = (): Promise<ToolOutcome> =>
      useTool({ id, name: tool.name, input: params.arguments ?? {} }, { core, thread, context });
    calls += 1;
    try {
      if (tool.isReadOnly) return resultOf(await make());
      const outcome = changes.then(make);
      changes = outcome.catch(() => {});
      return resultOf(await outcome);
    } finally {
      calls -= 1;
    }
  });
  return server;
}

/** What a tool gave, as the official agent serves it: the structured result as JSON; of an error, its words. */
function resultOf({ content, structured, isError = false }: ToolOutcome): CallToolResult {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const hasImage = blocks.some(({ type }) => type === 'image');
  if (!isError && !hasImage && structured !== undefined)
    return { content: [{ type: 'text', text: JSON.stringify(structured) }] };
  const served = blocks.map((block) => {
    if (block.type === 'text') return { type: 'text' as const, text: block.text };
    if (block.type === 'image' && block.source.type === 'base64')
      return { type: 'image' as const, data: block.source.data, mimeType: block.source.media_type };
    return { type: 'text' as const, text: JSON.stringify(block) };
  });
  return { content: served, ...(isError ? { isError } : {}) };
}
