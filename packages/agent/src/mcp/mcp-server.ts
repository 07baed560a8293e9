import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { type JsonObject, messageOf } from '@signalbox/protocol';
import { debugLog } from '../base/debug-log.ts';
import { ToolFailure } from '../base/tool-failure.ts';
import type { McpServerFacts } from '../settings/mcp-policy.ts';
import { expandVariables } from './expand-variables.ts';
import { explainFailure } from './explain-failure.ts';
import { withHelpedHeaders } from './headers-helper.ts';
import type { Elicit } from './mcp-client.ts';
import type { McpConfig } from './mcp-config.ts';
import type { McpConnection } from './mcp-connection.ts';
import { McpNeedsAuthError, McpPolicyError, McpServerFailedError } from './mcp-errors.ts';
import { connectTimeoutMs } from './mcp-settings.ts';
import { redact, secretsOf } from './secrets.ts';
import { serverFacts } from './server-facts.ts';
import type { SendToHost } from './transport/host-transport.ts';

const debug = debugLog('mcp');

/** How long to wait before a lost server is dialled again: twice as long after each loss. */
const RETRY_DELAY_MS = { first: 1000, longest: 30_000 };

/** How many problems of its lists are told about one server. */
const MAX_LIST_PROBLEMS = 100;

/** What servers share. */
export interface McpSurroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly sendToHost?: SendToHost | undefined;
  readonly elicit?: Elicit | undefined;
  /** Whether the policy of the machine lets a server be used; judged before each connection. */
  mayUse(server: McpServerFacts): boolean;
  onProblem(text: string): void;
  /** A server's state, its tools or its prompts are not what they were. */
  onChange(): void;
}

/** Where a server stands. */
export type McpServerState =
  | { readonly name: 'pending' | 'disabled' }
  | { readonly name: 'connected'; readonly connection: McpConnection }
  | { readonly name: 'failed' | 'needs-auth'; readonly reason: string };

/** One MCP server through its life: connected, lost, connected again, switched off. */
export class McpServer {
  readonly name: string;
  readonly config: McpConfig;
  readonly scope: string;
  readonly #surroundings: McpSurroundings;
  readonly #rival: () => string | undefined;
  readonly #told = new Set<string>();
  #state: McpServerState = { name: 'pending' };
  #attempt: { readonly cancel: AbortController; done: Promise<void> } | undefined;
  #lastConnection: McpConnection | undefined;
  #ending: Promise<unknown> = Promise.resolve();
  #secrets: readonly string[] = [];
  #losses = 0;
  #retry: NodeJS.Timeout | undefined;

  /** `rival` names the server whose tools this one's would be taken for, if there is one. */
  constructor(
    identity: { readonly name: string; readonly config: McpConfig; readonly scope: string },
    surroundings: McpSurroundings,
    rival: () => string | undefined,
  ) {
    this.name = identity.name;
    this.config = identity.config;
    this.scope = identity.scope;
    this.#surroundings = surroundings;
    this.#rival = rival;
  }

  get state(): McpServerState {
    return this.#state;
  }

  /** The connection, if there is one. */
  get connection(): McpConnection | undefined {
    return this.#state.name === 'connected' ? this.#state.connection : undefined;
  }

  /**
   * The tools to tell the model about. Those of a server that was lost stay: a call gets to hear why, and they do not
   * come and go with every reconnect.
   */
  get tools(): McpConnection['tools'] {
    return this.#lastConnection?.tools ?? [];
  }

  /** Whether the policy is against this server, as far as its variables have values. */
  get isForbidden(): boolean {
    try {
      this.#permitted();
      return false;
    } catch (error) {
      return error instanceof McpPolicyError;
    }
  }

  /** Settles when the server is connected or has failed, which its state tells. */
  connect(): Promise<void> {
    if (this.#state.name === 'connected' || this.#state.name === 'disabled') return Promise.resolve();
    if (!this.#attempt) {
      const cancel = new AbortController();
      const attempt = { cancel, done: Promise.resolve() };
      this.#attempt = attempt;
      attempt.done = this.#open(cancel.signal).finally(() => {
        if (this.#attempt === attempt) this.#attempt = undefined;
      });
    }
    return this.#attempt.done;
  }

  /** Let go of the server, connected or not. */
  async stop(next: 'pending' | 'disabled'): Promise<void> {
    clearTimeout(this.#retry);
    const attempt = this.#attempt;
    this.#attempt = undefined;
    attempt?.cancel.abort();
    this.#endConnection();
    this.#lastConnection = undefined;
    this.#losses = 0;
    this.#become({ name: next });
    await Promise.all([attempt?.done, this.#ending]);
  }

  /** Ask the server for something. What goes wrong is told in words, without secrets. */
  async use<T>(
    work: (connection: McpConnection, options: RequestOptions) => Promise<T>,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<T> {
    const { connection } = this;
    if (!connection) throw new ToolFailure(`MCP server "${this.name}" is not connected${this.#why()}.`);
    // The library listens to a signal for ever: the turn's own would cancel calls that are long over.
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await work(connection, {
        signal: stop.signal,
        timeout: timeoutMs,
        resetTimeoutOnProgress: true,
      });
    } catch (error) {
      if (signal.aborted) throw new ToolFailure(`The call to MCP server "${this.name}" was stopped.`, error);
      const wasLost = this.connection !== connection;
      const why = wasLost ? `was lost during the call${this.#why()}` : explainFailure(error, timeoutMs);
      throw new ToolFailure(this.#withoutSecrets(`MCP server "${this.name}" ${why}`));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** What a server in the host says by itself, also while it is being connected. Throws when it is no message. */
  receive(message: JsonObject): void {
    if (this.connection) return this.connection.receive(message);
    void this.#attempt?.done
      .then(() => this.connection?.receive(message))
      .catch((error: unknown) => this.#tell(messageOf(error)));
  }

  async #open(signal: AbortSignal): Promise<void> {
    this.#become({ name: 'pending' });
    try {
      await this.#ending;
      const connection = await this.#dial(signal);
      if (signal.aborted) return await connection.close();
      this.#lastConnection = connection;
      this.#become({ name: 'connected', connection });
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  async #dial(signal: AbortSignal): Promise<McpConnection> {
    const { cwd, env, sendToHost, elicit } = this.#surroundings;
    const rival = this.#rival();
    if (rival !== undefined)
      throw new McpServerFailedError(
        `its tools would be taken for those of "${rival}"; rename one of the two`,
      );
    const expanded = this.#permitted();
    const isRemote = expanded.type === 'http' || expanded.type === 'sse';
    const config = isRemote ? await withHelpedHeaders(expanded, { cwd, env }) : expanded;
    this.#secrets = secretsOf(config);
    const { McpConnection } = await import('./mcp-connection.ts');
    const connection: McpConnection = await McpConnection.open(
      {
        serverName: this.name,
        config,
        cwd,
        env,
        timeoutMs: connectTimeoutMs(env),
        sendToHost,
        elicit,
        onProblem: (text) => this.#tellOnce(text),
        onChange: () => this.#surroundings.onChange(),
        onLost: (error) => this.#lost(connection, error),
      },
      signal,
    );
    return connection;
  }

  /** What is really started or reached. Throws where the policy is against it, whatever variables hide. */
  #permitted(): McpConfig {
    const expanded = expandVariables(this.name, this.config, this.#surroundings.env);
    if (!this.#surroundings.mayUse(serverFacts(this.name, expanded))) throw new McpPolicyError();
    return expanded;
  }

  #lost(connection: McpConnection, error: Error): void {
    if (this.connection !== connection) return;
    this.#endConnection();
    this.#fail(error);
    this.#tell(`it was lost: ${messageOf(error)}`);
    if (this.config.type !== 'http' && this.config.type !== 'sse') return;
    const delay = Math.min(RETRY_DELAY_MS.first * 2 ** this.#losses, RETRY_DELAY_MS.longest);
    this.#losses += 1;
    this.#retry = setTimeout(() => void this.connect(), delay).unref();
  }

  #endConnection(): void {
    const { connection } = this;
    if (connection) this.#ending = Promise.all([this.#ending, connection.close()]);
  }

  #fail(error: unknown): void {
    const name = error instanceof McpNeedsAuthError ? 'needs-auth' : 'failed';
    this.#become({ name, reason: this.#withoutSecrets(messageOf(error)) });
  }

  #why(): string {
    return 'reason' in this.#state ? `: ${this.#state.reason}` : '';
  }

  #become(state: McpServerState): void {
    this.#state = state;
    debug(() => `${this.name}: ${state.name}${this.#why()}`);
    this.#surroundings.onChange();
  }

  /** Lists are read again and again; what is wrong with them is news once. */
  #tellOnce(text: string): void {
    if (this.#told.has(text) || this.#told.size >= MAX_LIST_PROBLEMS) return;
    this.#told.add(text);
    this.#tell(text);
  }

  #tell(text: string): void {
    this.#surroundings.onProblem(this.#withoutSecrets(`MCP server "${this.name}": ${text}`));
  }

  #withoutSecrets(text: string): string {
    return redact(text, this.#secrets);
  }
}
