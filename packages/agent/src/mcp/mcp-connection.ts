import { once } from 'node:events';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport as McpTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type JsonObject, messageOf, timeLimit } from '@signalbox/protocol';
import * as z from 'zod/mini';
import { createClient, type Elicit } from './mcp-client.ts';
import type { McpConfig } from './mcp-config.ts';
import { McpServerFailedError } from './mcp-errors.ts';
import {
  type ListedPrompt,
  type ListedResource,
  type ListedTool,
  listPrompts,
  listResources,
  listTools,
} from './mcp-lists.ts';
import { ChildServerTransport } from './transport/child-transport.ts';
import { HostServerTransport, type SendToHost } from './transport/host-transport.ts';
import { type OnFault, remoteTransport } from './transport/remote-transport.ts';

/** What a connection needs to know, and whom it tells. */
export interface ConnectionOptions {
  readonly serverName: string;
  /** With its variables expanded and its headers complete. */
  readonly config: McpConfig;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly sendToHost?: SendToHost | undefined;
  readonly elicit?: Elicit | undefined;
  onProblem(text: string): void;
  /** The server has other tools or prompts than before. */
  onChange(): void;
  /** The server is gone; told once, and only after the connection was open. */
  onLost(error: Error): void;
}

const callResult = z.object({
  content: z.nullish(z.array(z.unknown())),
  structuredContent: z.nullish(z.record(z.string(), z.unknown())),
  isError: z.nullish(z.boolean()),
});

const readResult = z.object({ contents: z.array(z.looseObject({ uri: z.string() })) });

const promptResult = z.object({
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.unknown() })),
});

/** What a tool of a server answered. */
export type McpCallResult = z.infer<typeof callResult>;

/** What is in a resource. */
export type McpResourceContents = z.infer<typeof readResult>;

/** What a prompt of a server stands for. */
export type McpPromptResult = z.infer<typeof promptResult>;

/** An open connection to an MCP server, with what the server offers. */
export class McpConnection {
  tools: readonly ListedTool[] = [];
  prompts: readonly ListedPrompt[] = [];
  readonly #options: ConnectionOptions;
  readonly #transport: McpTransport;
  readonly #client: Client;
  readonly #life = new AbortController();
  #state: 'opening' | 'open' | 'closed' = 'opening';
  #fault: Error | undefined;
  /** The first reading counts. */
  #refreshing: 'no' | 'yes' | 'again' = 'yes';

  /** Connect, shake hands and read the lists. Rejects when the server is not ready in time; then nothing of it is left. */
  static async open(options: ConnectionOptions, signal: AbortSignal): Promise<McpConnection> {
    const tooLate = timeLimit(options.timeoutMs);
    const deadline = AbortSignal.any([signal, tooLate]);
    let onFault: OnFault = () => {};
    const transport = await createTransport(options, (fault) => onFault(fault));
    const connection = new McpConnection(options, transport);
    onFault = (fault) => connection.#lose(fault);
    try {
      await unlessAborted(() => connection.#shakeHands(deadline), deadline);
      connection.#opened();
      return connection;
    } catch (error) {
      const fault = connection.#fault;
      await connection.close();
      if (fault) throw fault;
      const late = `it did not answer within ${options.timeoutMs} ms (MCP_TIMEOUT)`;
      throw tooLate.aborted ? new McpServerFailedError(late) : error;
    }
  }

  private constructor(options: ConnectionOptions, transport: McpTransport) {
    this.#options = options;
    this.#transport = transport;
    this.#client = createClient({ ...options, isInHost: options.config.type === 'sdk' });
    for (const schema of [
      ToolListChangedNotificationSchema,
      PromptListChangedNotificationSchema,
      ResourceListChangedNotificationSchema,
    ]) {
      this.#client.setNotificationHandler(schema, () => void this.#refresh());
    }
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client of the library has no other way
    this.#client.onclose = () => {
      const failure = transport instanceof ChildServerTransport ? transport.failure : undefined;
      this.#lose(failure ?? new McpServerFailedError('it closed the connection'));
    };
  }

  get serverInfo(): { name: string; version: string } | undefined {
    const info = this.#client.getServerVersion();
    return info && { name: info.name, version: info.version };
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  get hasResources(): boolean {
    return this.#client.getServerCapabilities()?.resources !== undefined;
  }

  /** Use a tool. Rejects with the library's errors. */
  call(tool: string, input: JsonObject, toolUseId: string, options: RequestOptions): Promise<McpCallResult> {
    const params = { name: tool, arguments: input, _meta: { 'claudecode/toolUseId': toolUseId } };
    return this.#client.request({ method: 'tools/call', params }, callResult, options);
  }

  resources(signal: AbortSignal): Promise<ListedResource[]> {
    return this.hasResources ? listResources(this.#lists(signal)) : Promise.resolve([]);
  }

  readResource(uri: string, options: RequestOptions): Promise<McpResourceContents> {
    return this.#client.request({ method: 'resources/read', params: { uri } }, readResult, options);
  }

  getPrompt(name: string, input: Record<string, string>, options: RequestOptions): Promise<McpPromptResult> {
    const params = { name, arguments: input };
    return this.#client.request({ method: 'prompts/get', params }, promptResult, options);
  }

  /** What a server in the host says by itself. */
  receive(message: JsonObject): void {
    if (this.#transport instanceof HostServerTransport) this.#transport.receive(message);
    else throw new McpServerFailedError(`${this.#options.serverName} is not a server of the host`);
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    this.#life.abort();
    await this.#transport.close();
  }

  async #shakeHands(deadline: AbortSignal): Promise<void> {
    const { timeoutMs } = this.#options;
    await this.#client.connect(this.#transport, { signal: deadline, timeout: timeoutMs });
    await this.#readLists(deadline);
  }

  #opened(): void {
    this.#state = 'open';
    const isOutdated = this.#refreshing === 'again';
    this.#refreshing = 'no';
    if (isOutdated) void this.#refresh();
  }

  async #readLists(signal: AbortSignal): Promise<void> {
    const offers = this.#client.getServerCapabilities();
    const lists = this.#lists(signal);
    [this.tools, this.prompts] = await Promise.all([
      offers?.tools ? listTools(lists) : [],
      offers?.prompts ? listPrompts(lists) : [],
    ]);
  }

  #lists(signal: AbortSignal) {
    const { timeoutMs } = this.#options;
    const onProblem = (text: string): void => this.#options.onProblem(text);
    return { client: this.#client, signal, timeoutMs, onProblem };
  }

  /** However many changes a server announces, one reading is under way and at most one waits. */
  async #refresh(): Promise<void> {
    if (this.#refreshing !== 'no') {
      this.#refreshing = 'again';
      return;
    }
    do {
      this.#refreshing = 'yes';
      try {
        await this.#readLists(this.#life.signal);
        this.#options.onChange();
      } catch (error) {
        if (!this.#life.signal.aborted)
          this.#options.onProblem(`its lists cannot be read: ${messageOf(error)}`);
      }
    } while (this.#wantsAnother() && !this.#life.signal.aborted);
    this.#refreshing = 'no';
  }

  #wantsAnother(): boolean {
    return this.#refreshing === 'again';
  }

  #lose(error: Error): void {
    this.#fault ??= error;
    if (this.#state !== 'open') return;
    this.#state = 'closed';
    this.#options.onLost(this.#fault);
  }
}

async function createTransport(options: ConnectionOptions, onFault: OnFault): Promise<McpTransport> {
  const { config, serverName, sendToHost } = options;
  switch (config.type) {
    case 'stdio':
      return new ChildServerTransport(config, options);
    case 'sse':
    case 'http':
      return remoteTransport(config, onFault);
    case 'sdk':
      if (sendToHost) return new HostServerTransport(serverName, sendToHost);
      throw new McpServerFailedError('it lives in the host, and no host is connected');
  }
}

async function unlessAborted(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const done = new AbortController();
  const aborted = once(signal, 'abort', { signal: done.signal }).then(() => signal.throwIfAborted());
  // Given up when the work is done: then nobody is left to hear about it.
  aborted.catch(() => {});
  try {
    await Promise.race([work(), aborted]);
  } finally {
    done.abort();
  }
}
