import { type JsonObject, messageOf, sameJson } from '@signalbox/protocol';
import { headOf } from '../base/cut-text.ts';
import { ToolFailure } from '../base/tool-failure.ts';
import type { McpServerFacts } from '../settings/mcp-policy.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import type { Elicit } from './mcp-client.ts';
import { type McpConfig, parseMcpConfig } from './mcp-config.ts';
import type { McpResourceContents } from './mcp-connection.ts';
import { promptTextOf } from './mcp-content.ts';
import { McpPolicyError, McpServerFailedError, McpServerNotFoundError } from './mcp-errors.ts';
import type { ListedResource } from './mcp-lists.ts';
import { safeServerName } from './mcp-names.ts';
import { McpOffers, type McpPrompt, type OnMcpProgress, promptArguments } from './mcp-offers.ts';
import { McpServer, type McpSurroundings } from './mcp-server.ts';
import { toolTimeoutMs } from './mcp-settings.ts';
import { type McpStatus, statusOf } from './mcp-status.ts';
import type { SendToHost } from './transport/host-transport.ts';

/** How much of a server's instructions goes into the system prompt. */
export const MAX_INSTRUCTIONS_CHARS = 2048;

/** The scope of servers that a host sets while the session runs. */
const DYNAMIC = 'dynamic';

/** What the servers of a session need, and whom they tell. */
export interface McpParts {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The policy of the machine; absent where there is none. */
  readonly mayUse?: (server: McpServerFacts) => boolean;
  onProblem(text: string): void;
  /** States, tools or prompts are not what they were. */
  onChange(): void;
  readonly onProgress?: OnMcpProgress;
  /** Absent where no host is connected: servers of type `sdk` fail. */
  readonly sendToHost?: SendToHost;
  /** Absent where nobody can be asked: servers are told so. */
  readonly elicit?: Elicit;
}

/** All MCP servers of a session, and what they offer. */
export class McpServers {
  readonly #servers = new Map<string, McpServer>();
  readonly #setByHost = new Set<string>();
  readonly #parts: McpParts;
  readonly #surroundings: McpSurroundings;
  #leaving: Promise<unknown> = Promise.resolve();
  #offers: McpOffers | undefined;

  constructor(parts: McpParts) {
    this.#parts = parts;
    this.#surroundings = {
      ...parts,
      mayUse: (server) => parts.mayUse?.(server) ?? true,
      onProblem: (text) => parts.onProblem(text),
      onChange: () => this.#changed(),
    };
  }

  /**
   * Make a server known; one of the same name is replaced. It is connected by {@link connect}. One that the policy
   * forbids is told about and not kept. Returns whether it was kept.
   */
  add(name: string, config: McpConfig, scope: string): boolean {
    const identity = { name, config, scope };
    const server = new McpServer(identity, this.#surroundings, () => this.#rivalOf(name));
    if (server.isForbidden) {
      this.#parts.onProblem(`The MCP server "${name}" is not used: ${new McpPolicyError().message}.`);
      return false;
    }
    this.#letGo(name);
    this.#servers.set(name, server);
    this.#changed();
    return true;
  }

  /** Connect what is not connected so far, side by side. Settles when each is connected or has failed. */
  async connect(): Promise<void> {
    const waiting = [...this.#servers.values()].filter(({ state }) => state.name === 'pending');
    await Promise.all(waiting.map((server) => server.connect()));
  }

  /** The tools of connected servers, by names that no two of them share. */
  tools(): readonly Tool[] {
    return this.#offered.tools;
  }

  /** Use a tool by its full name. */
  call(
    name: string,
    input: JsonObject,
    call: { toolUseId: string; signal: AbortSignal },
  ): Promise<ToolResult> {
    return this.#offered.call(name, input, call);
  }

  prompts(): readonly McpPrompt[] {
    return this.#offered.prompts;
  }

  /** What a prompt stands for, in words. Its arguments are given in the order in which it lists them. */
  async getPrompt(
    name: string,
    args: readonly string[],
    signal = new AbortController().signal,
  ): Promise<string> {
    const { server, listed } = this.#offered.promptNamed(name);
    const input = promptArguments(name, listed, args);
    const { messages } = await server.use(
      (connection, options) => connection.getPrompt(listed.name, input, options),
      this.#patience(signal),
    );
    return messages.map(({ content }) => promptTextOf(content, server.name)).join('\n\n');
  }

  statuses(): McpStatus[] {
    return [...this.#servers.values()].map(statusOf);
  }

  /** What servers want the model to know about them; empty when none says anything. */
  instructions(): string {
    const parts = [...this.#servers.values()].flatMap(({ name, connection }) => {
      const text = connection?.instructions?.trim();
      return text ? [`## ${name}\n${headOf(text, MAX_INSTRUCTIONS_CHARS)}`] : [];
    });
    return parts.length === 0 ? '' : ['# What MCP servers say about their tools', ...parts].join('\n\n');
  }

  get haveResources(): boolean {
    return [...this.#servers.values()].some(({ connection }) => connection?.hasResources);
  }

  /** The resources of one server or of all. One that fails among all is only a problem. */
  async resources(
    serverName?: string,
    signal = new AbortController().signal,
  ): Promise<(ListedResource & { server: string })[]> {
    const servers = serverName === undefined ? [...this.#servers.values()] : [this.#find(serverName)];
    const lists = servers
      .filter(({ connection }) => serverName !== undefined || connection?.hasResources)
      .map(async (server) => {
        try {
          const listed = await server.use(
            (connection, options) => connection.resources(options.signal ?? signal),
            this.#patience(signal),
          );
          return listed.map((resource) => ({ ...resource, server: server.name }));
        } catch (error) {
          if (serverName !== undefined || signal.aborted) throw error;
          this.#parts.onProblem(messageOf(error));
          return [];
        }
      });
    return (await Promise.all(lists)).flat();
  }

  async readResource(
    serverName: string,
    uri: string,
    signal = new AbortController().signal,
  ): Promise<McpResourceContents> {
    const server = this.#servers.get(serverName);
    if (!server) {
      const names = [...this.#servers.keys()].join(', ') || 'none';
      throw new ToolFailure(`Server "${serverName}" not found. Available servers: ${names}`);
    }
    return server.use((connection, options) => connection.readResource(uri, options), this.#patience(signal));
  }

  /** Connect a server anew. Rejects when that fails, or when it is switched off. */
  async reconnect(name: string): Promise<void> {
    const server = this.#find(name);
    if (server.state.name === 'disabled')
      throw new McpServerFailedError(`MCP server "${name}" is disabled. Enable it first.`);
    await server.stop('pending');
    await connectOrThrow(server);
  }

  /** Switch a server off, or on again. Rejects when it cannot be connected. */
  async toggle(name: string, enabled: boolean): Promise<void> {
    const server = this.#find(name);
    if (!enabled) return server.stop('disabled');
    if (server.state.name === 'disabled') await server.stop('pending');
    return connectOrThrow(server);
  }

  /** Have these servers in place of those that were set before; servers from elsewhere stay as they are. */
  async setServers(
    servers: JsonObject,
  ): Promise<{ added: string[]; removed: string[]; errors: Record<string, string> }> {
    const errors = new Map<string, string>();
    const wanted = new Map<string, McpConfig>();
    for (const [name, value] of Object.entries(servers)) {
      try {
        wanted.set(name, parseMcpConfig(name, value, 'mcp_set_servers'));
      } catch (error) {
        errors.set(name, messageOf(error));
      }
    }
    const removed = [...this.#setByHost].filter((name) => !wanted.has(name));
    for (const name of removed) this.#forget(name);
    const added = [...wanted.keys()].filter(
      (name) => !sameJson(this.#servers.get(name)?.config, wanted.get(name)),
    );
    for (const name of added) {
      const config = wanted.get(name);
      if (config && this.add(name, config, DYNAMIC)) this.#setByHost.add(name);
      else {
        errors.set(name, new McpPolicyError().message);
        this.#forget(name);
      }
    }
    await Promise.all([this.connect(), this.#leaving]);
    for (const name of added) {
      const state = this.#servers.get(name)?.state;
      if (state && 'reason' in state) errors.set(name, state.reason);
    }
    const kept = added.filter((name) => this.#setByHost.has(name));
    return { added: kept, removed, errors: Object.fromEntries(errors) };
  }

  /** What a server that lives in the host says by itself. */
  receive(serverName: string, message: JsonObject): void {
    this.#find(serverName).receive(message);
  }

  /** End all servers, with everything they started. */
  async close(): Promise<void> {
    for (const name of this.#servers.keys()) this.#letGo(name);
    await this.#leaving;
  }

  get #offered(): McpOffers {
    this.#offers ??= new McpOffers([...this.#servers.values()], this.#parts);
    return this.#offers;
  }

  #patience(signal: AbortSignal): { signal: AbortSignal; timeoutMs: number } {
    return { signal, timeoutMs: toolTimeoutMs(this.#parts.env) };
  }

  #find(name: string): McpServer {
    const server = this.#servers.get(name);
    if (!server) throw new McpServerNotFoundError(name);
    return server;
  }

  /** The server that came first with the same prefix of tool names, if it is another one. */
  #rivalOf(name: string): string | undefined {
    const prefix = safeServerName(name);
    const first = [...this.#servers.keys()].find((other) => safeServerName(other) === prefix);
    return first === name ? undefined : first;
  }

  /** Let go of a server that the host has set. */
  #forget(name: string): void {
    if (!this.#setByHost.delete(name)) return;
    this.#letGo(name);
    this.#servers.delete(name);
  }

  #letGo(name: string): void {
    const server = this.#servers.get(name);
    if (server) this.#leaving = Promise.all([this.#leaving, server.stop('disabled')]);
  }

  #changed(): void {
    this.#offers = undefined;
    this.#parts.onChange();
  }
}

async function connectOrThrow(server: McpServer): Promise<void> {
  await server.connect();
  const { state } = server;
  if ('reason' in state) throw new McpServerFailedError(`MCP server "${server.name}": ${state.reason}`);
}
