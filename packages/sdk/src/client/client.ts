import { checkOptions } from '../options/check-options.ts';
import { AgentQuery } from '../query/agent-query.ts';
import { Conversation } from '../query/conversation.ts';
import { promptMessage } from '../query/prompt-message.ts';
import { feed } from '../query/query.ts';
import { CLIConnectionError } from '../sdk-errors.ts';
import type { McpServerStatus } from '../types/mcp.ts';
import type { SDKMessage, SDKUserMessage } from '../types/messages.ts';
import type { Options } from '../types/options.ts';
import type { PermissionMode } from '../types/permissions.ts';
import type { RewindFilesResult, SDKControlInitializeResponse } from '../types/query.ts';

/** What a client can be told: a text, messages of its caller's own, or a stream of them. */
export type Prompt = string | SDKUserMessage | AsyncIterable<SDKUserMessage>;

/**
 * One long conversation: connect, then send and receive as often as you like. Unlike a `Query`, leaving a loop over its
 * messages does not end it; `disconnect` does.
 */
export class Client {
  readonly #options: Options;
  #connection: { conversation: Conversation; query: AgentQuery } | undefined;

  /** `options.env` is added to the environment of this process. */
  constructor(options: Options = {}) {
    checkOptions(options);
    const env = { ...process.env, CLAUDE_CODE_ENTRYPOINT: 'sdk-ts-client', ...options.env };
    this.#options = { ...options, env };
  }

  /**
   * Start the agent and wait until it is ready; a prompt is sent at once. A stream is sent while you receive, so that it may
   * wait for what the agent says; when it ends, so does the agent's input, and the agent after its last turn.
   */
  async connect(prompt?: Prompt): Promise<void> {
    if (this.#connection) throw new CLIConnectionError('Already connected. Call disconnect() first.');
    const conversation = new Conversation(this.#options);
    const query = new AgentQuery(conversation);
    this.#connection = { conversation, query };
    try {
      await query.initializationResult();
      if (isStream(prompt)) feed(conversation, query.streamInput(prompt));
      else if (prompt !== undefined) await this.send(prompt);
    } catch (error) {
      await this.disconnect();
      throw error;
    }
  }

  /** Send a prompt, or each of a stream; settles when all are sent, and more can follow. */
  async send(prompt: Prompt): Promise<void> {
    const { conversation } = this.#connected();
    if (typeof prompt === 'string') return conversation.prompt(promptMessage(prompt));
    if (!isStream(prompt)) return conversation.prompt(prompt);
    for await (const message of prompt) await conversation.prompt(message);
  }

  /** All that the agent says, until it ends. */
  async *receive(): AsyncGenerator<SDKMessage, void> {
    const { query } = this.#connected();
    for (let next = await query.next(); !next.done; next = await query.next()) yield next.value;
  }

  /** What the agent says up to the end of this turn, its result included. */
  async *receiveResponse(): AsyncGenerator<SDKMessage, void> {
    for await (const message of this.receive()) {
      yield message;
      if (message.type === 'result') return;
    }
  }

  async interrupt(): Promise<void> {
    await this.#connected().query.interrupt();
  }

  setPermissionMode(mode: PermissionMode): Promise<void> {
    return this.#connected().query.setPermissionMode(mode);
  }

  setModel(model?: string): Promise<void> {
    return this.#connected().query.setModel(model);
  }

  rewindFiles(userMessageId: string): Promise<RewindFilesResult> {
    return this.#connected().query.rewindFiles(userMessageId);
  }

  mcpStatus(): Promise<McpServerStatus[]> {
    return this.#connected().query.mcpServerStatus();
  }

  /** What the agent said about itself when it was connected. */
  serverInfo(): Promise<SDKControlInitializeResponse> {
    return this.#connected().query.initializationResult();
  }

  /** End the agent, and wait until it is gone. A client can connect again. */
  async disconnect(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.query[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disconnect();
  }

  #connected(): { conversation: Conversation; query: AgentQuery } {
    if (!this.#connection) throw new CLIConnectionError('Not connected. Call connect() first.');
    return this.#connection;
  }
}

function isStream(prompt: Prompt | undefined): prompt is AsyncIterable<SDKUserMessage> {
  return typeof prompt === 'object' && Symbol.asyncIterator in prompt;
}
