import { compactionLimit } from '../loop/compact.ts';
import type { Extensions } from '../loop/extensions.ts';
import type { SessionCore } from '../loop/session-core.ts';
import type { Thread } from '../loop/thread.ts';
import { modelFacts } from '../model/prices.ts';
import type { MemoryKind } from '../project/memory-entry.ts';
import { type ContextRow, contextGrid, row } from './context-grid.ts';

/** A token is about so many characters; good enough to say what fills a context. */
const CHARS_PER_TOKEN = 4;

const MEMORY_TYPES: Record<MemoryKind, string> = {
  managed: 'Managed',
  user: 'User',
  project: 'Project',
  local: 'Local',
};

/** What fills the model's context. The total is what the API counted last; the shares are estimates. */
export function contextUsage({ env }: SessionCore, thread: Thread, extensions: Extensions) {
  const rawMaxTokens = modelFacts(thread.modelName).contextWindow;
  const threshold = compactionLimit(env, thread.modelName);
  const tools = thread.tools().map((tool) => ({
    name: tool.name,
    server: tool.server,
    tokens: estimate(tool.description + JSON.stringify(tool.inputSchema())),
  }));
  const mcpTools = tools.flatMap(({ name, server, tokens }) =>
    server ? [{ name, serverName: server.name, tokens, isLoaded: true }] : [],
  );
  const memoryFiles = extensions.memoryFiles.map(({ path, kind, text }) => ({
    path,
    type: MEMORY_TYPES[kind],
    tokens: estimate(text),
  }));
  const mcp = sum(mcpTools);
  const memory = sum(memoryFiles);
  const builtIn = sum(tools) - mcp;
  const system = Math.max(0, estimate(thread.systemPrompt().join('')) - memory);
  const said = sum(
    thread.history.messages.map(({ content }) => ({ tokens: estimate(JSON.stringify(content)) })),
  );
  const around = system + builtIn + mcp + memory;
  const totalTokens = thread.contextTokens || around + said;
  const buffer = threshold === undefined ? 0 : Math.max(0, rawMaxTokens - threshold);
  const categories: ContextRow[] = [
    row('system_prompt', 'System prompt', system, 'promptBorder'),
    row('system_tools', 'System tools', builtIn, 'inactive'),
    ...(mcp > 0 ? [row('mcp_tools', 'MCP tools', mcp, 'cyan_FOR_SUBAGENTS_ONLY')] : []),
    ...(memory > 0 ? [row('memory_files', 'Memory files', memory, 'claude')] : []),
    row('messages', 'Messages', Math.max(0, totalTokens - around), 'purple_FOR_SUBAGENTS_ONLY'),
    ...(buffer > 0 ? [row('autocompact_buffer', 'Autocompact buffer', buffer, 'inactive', 'buffer')] : []),
    row('free_space', 'Free space', Math.max(0, rawMaxTokens - totalTokens - buffer), 'promptBorder', 'free'),
  ];
  return {
    categories,
    totalTokens,
    maxTokens: rawMaxTokens,
    rawMaxTokens,
    percentage: Math.round((100 * totalTokens) / rawMaxTokens),
    gridRows: contextGrid(categories, rawMaxTokens),
    model: thread.modelName,
    memoryFiles,
    mcpTools,
    agents: extensions.agents
      .list()
      .filter(({ source }) => source !== 'built-in')
      .map(({ name, description, source }) => ({ agentType: name, source, tokens: estimate(description) })),
    isAutoCompactEnabled: threshold !== undefined,
    ...(threshold === undefined ? {} : { autoCompactThreshold: threshold }),
    apiUsage: thread.lastUsage ?? null,
  };
}

function estimate(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

function sum(parts: readonly { readonly tokens: number }[]): number {
  return parts.reduce((all, { tokens }) => all + tokens, 0);
}
