import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { JsonObject } from '@signalbox/protocol';
import { ToolFailure } from '../base/tool-failure.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { toolResultOf } from './mcp-content.ts';
import type { ListedPrompt } from './mcp-lists.ts';
import { mcpName } from './mcp-names.ts';
import type { McpServer } from './mcp-server.ts';
import { maxOutputTokens, toolTimeoutMs } from './mcp-settings.ts';
import { type CallMcpTool, mcpTool } from './mcp-tool.ts';

/** Servers may report progress as often as they like; it is passed on no more often than this. */
const PROGRESS_INTERVAL_MS = 250;

/** How a tool of a server gets on. */
export interface McpProgress {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Told while a tool of a server works. */
export type OnMcpProgress = (progress: McpProgress) => void;

/** A prompt of a server, which people call like a command. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

/** The server that offers a prompt. */
interface PromptSource {
  readonly server: McpServer;
  readonly listed: ListedPrompt;
}

interface CallContext {
  readonly env: NodeJS.ProcessEnv;
  readonly onProgress?: OnMcpProgress;
}

/** What the connected servers offer at one moment, under names that no two things share. */
export class McpOffers {
  readonly tools: readonly Tool[];
  readonly prompts: readonly McpPrompt[];
  readonly #calls = new Map<string, CallMcpTool>();
  readonly #prompts = new Map<string, PromptSource>();

  constructor(servers: readonly McpServer[], context: CallContext) {
    this.tools = servers.flatMap((server) => this.#toolsOf(server, context));
    this.prompts = servers.flatMap((server) => this.#promptsOf(server));
  }

  call(name: string, input: JsonObject, call: Parameters<CallMcpTool>[1]): Promise<ToolResult> {
    const run = this.#calls.get(name);
    if (run) return run(input, call);
    return Promise.reject(new ToolFailure(`There is no MCP tool ${name}.`));
  }

  promptNamed(name: string): PromptSource {
    const prompt = this.#prompts.get(name);
    if (!prompt) throw new ToolFailure(`There is no MCP prompt ${name}.`);
    return prompt;
  }

  #toolsOf(server: McpServer, context: CallContext): Tool[] {
    return server.tools.map((listed) => {
      const name = mcpName(server.name, listed.name, this.#calls);
      const call = caller(server, listed.name, name, context);
      this.#calls.set(name, call);
      const source = server.config.type === 'sdk' ? 'sdk' : server.scope;
      return mcpTool(name, listed, { name: server.name, source }, call);
    });
  }

  #promptsOf(server: McpServer): McpPrompt[] {
    return (server.connection?.prompts ?? []).map((listed) => {
      const name = mcpName(server.name, listed.name, this.#prompts);
      this.#prompts.set(name, { server, listed });
      const parameters = (listed.arguments ?? []).map(({ name: own, description, required }) => ({
        name: own,
        description: description ?? '',
        required: required === true,
      }));
      return { name, description: listed.description ?? '', arguments: parameters };
    });
  }
}

/** A prompt's arguments by name; what is said beyond them belongs to the last. */
export function promptArguments(
  name: string,
  { arguments: listed }: ListedPrompt,
  words: readonly string[],
): Record<string, string> {
  const parameters = listed ?? [];
  const last = parameters.length - 1;
  const given = parameters.map((parameter, at) => ({
    ...parameter,
    value: at === last ? words.slice(at).join(' ') : (words[at] ?? ''),
  }));
  const missing = given.find(({ required, value }) => required && value === '');
  if (missing) throw new ToolFailure(`/${name} needs <${missing.name}>.`);
  return Object.fromEntries(given.flatMap(({ name: own, value }) => (value === '' ? [] : [[own, value]])));
}

function caller(
  server: McpServer,
  ownName: string,
  toolName: string,
  { env, onProgress }: CallContext,
): CallMcpTool {
  return async (input, { toolUseId, signal }) => {
    const progress = onProgress && progressListener(toolUseId, toolName, onProgress);
    const result = await server.use(
      (connection, options) => connection.call(ownName, input, toolUseId, { ...options, ...progress }),
      { signal, timeoutMs: toolTimeoutMs(env) },
    );
    return toolResultOf(result, server.name, maxOutputTokens(env));
  };
}

function progressListener(
  toolUseId: string,
  toolName: string,
  onProgress: OnMcpProgress,
): Pick<RequestOptions, 'onprogress'> {
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    onprogress({ progress, total, message }) {
      if (performance.now() - toldAt < PROGRESS_INTERVAL_MS) return;
      toldAt = performance.now();
      onProgress({
        toolUseId,
        toolName,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      });
    },
  };
}
