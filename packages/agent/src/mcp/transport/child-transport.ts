import type { Transport as McpTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  isJsonObject,
  type JsonObject,
  JsonTooDeepError,
  messageOf,
  type WireLine,
} from '@signalbox/protocol';
import { type ChildTransport, spawnTransport } from '@signalbox/transport/stdio';
import { childEnvironment } from '../../base/child-environment.ts';
import { tailOf } from '../../base/cut-text.ts';
import { COMMAND_MARK, killTree } from '../../process/process-tree.ts';
import type { McpChildConfig } from '../mcp-config.ts';
import { McpLimitError, McpServerFailedError } from '../mcp-errors.ts';

/** How long a server may take to leave after its input ended, and again after SIGTERM. */
const GRACE_MS = { afterEndOfInput: 500, afterSigterm: 1000 };

/** After so many lines that are no messages it is no server: to read what it prints would leave time for nothing else. */
const MAX_STRAY_LINES = 10_000;

/** What JSON-RPC calls a message that cannot be read. */
const INVALID_ANSWER = -32_700;

/** How much of a server's last words is put into the reason of its failure. */
const MAX_LAST_WORDS_LINES = 5;
const MAX_LAST_WORDS_CHARS = 1000;

/** An MCP server as a child process, in a process group of its own; nothing it started outlives it. */
export class ChildServerTransport implements McpTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why the server was lost, once it is. */
  failure: McpServerFailedError | undefined;
  readonly #config: McpChildConfig;
  readonly #options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
  readonly #mark = `mcp-${crypto.randomUUID()}`;
  #child: ChildTransport | undefined;
  #closing: Promise<void> | undefined;
  #strayLines = 0;

  constructor(config: McpChildConfig, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    this.#config = config;
    this.#options = options;
  }

  async start(): Promise<void> {
    const { command, args, env } = this.#config;
    const child = await spawnTransport({
      command,
      args,
      cwd: this.#options.cwd,
      env: childEnvironment(this.#options.env, { ...env, [COMMAND_MARK]: this.#mark }),
      graceMs: GRACE_MS,
    });
    this.#child = child;
    void this.#read(child);
    // Closed while it was being started.
    if (this.#closing) await this.#end(child);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#child) throw new McpServerFailedError('it is not running');
    await this.#child.send(JSON.stringify(message));
  }

  close(): Promise<void> {
    this.#closing ??= this.#end(this.#child).then(() => this.onclose?.());
    return this.#closing;
  }

  async #read(child: ChildTransport): Promise<void> {
    try {
      for await (const line of child.receive()) {
        this.#take(line);
        if (this.#strayLines > MAX_STRAY_LINES)
          throw new McpLimitError('it printed too many lines that are no messages', String(MAX_STRAY_LINES));
      }
      const wasWanted = this.#closing !== undefined;
      await child.close();
      if (!wasWanted) this.failure = await endOf(child);
    } catch (error) {
      this.failure = new McpServerFailedError(messageOf(error), error);
    }
    await this.close();
  }

  #take(line: WireLine): void {
    try {
      this.onmessage?.(JSONRPCMessageSchema.parse(line.json()));
    } catch (error) {
      if (error instanceof JsonTooDeepError && this.#failDeep(line, error)) return;
      this.#strayLines += 1;
      // Servers that print to stdout are common; what is no message is not worth losing them for.
      this.onerror?.(
        new McpServerFailedError(`it wrote a line that is no message: ${messageOf(error)}`, error),
      );
    }
  }

  /** Whoever asked must hear that the answer cannot be read; false when it is no answer. */
  #failDeep(line: WireLine, error: JsonTooDeepError): boolean {
    const { id, method } = shallowFields(line);
    if (method !== undefined || (typeof id !== 'string' && typeof id !== 'number')) return false;
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: INVALID_ANSWER, message: error.message } });
    return true;
  }

  async #end(child: ChildTransport | undefined): Promise<void> {
    await child?.close();
    // A daemon has left both the group and the family, but not its environment.
    killTree({ mark: this.#mark });
  }
}

function shallowFields(line: WireLine): JsonObject {
  try {
    const message = line.shallowJson();
    return isJsonObject(message) ? message : {};
  } catch {
    return {};
  }
}

async function endOf(child: ChildTransport): Promise<McpServerFailedError> {
  const { code, signal } = await child.exited;
  const words = child.stderrTail.split('\n').filter((line) => line.trim() !== '');
  const lastWords = tailOf(words.slice(-MAX_LAST_WORDS_LINES).join('\n'), MAX_LAST_WORDS_CHARS);
  const how = signal ? `ended by ${signal}` : `ended with code ${code}`;
  return new McpServerFailedError(lastWords ? `its process ${how}:\n${lastWords}` : `its process ${how}`);
}
