import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '@signalbox/protocol';

/** JSON-RPC: there is no such method, or no such server. */
export const METHOD_NOT_FOUND = -32601;
/** JSON-RPC: it failed for a reason of its own. */
export const INTERNAL_ERROR = -32603;

/** Takes what a server says by itself: its requests, logs and changes. */
export type ServerVoice = (message: JSONRPCMessage) => void;

interface Waiting {
  id: RequestId;
  voice: ServerVoice;
  answer(message: JSONRPCMessage): void;
}

/** The transport of one MCP server in this process, shared by all conversations that use it at the same time. */
export class McpWire {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #voices = new Set<ServerVoice>();
  /** By ids of our own: two agents may well number their requests alike. */
  readonly #waiting = new Map<RequestId, Waiting>();
  #lastId = 0;
  #connected: Promise<void> | undefined;

  attach(voice: ServerVoice): void {
    this.#voices.add(voice);
  }

  /** The last one to leave frees the server for another transport. */
  detach(voice: ServerVoice): void {
    if (!this.#voices.delete(voice)) return;
    for (const [ours, waiting] of this.#waiting) if (waiting.voice === voice) this.#waiting.delete(ours);
    if (this.#voices.size === 0) void this.close();
  }

  /** Hand a message to the server; a request resolves with its answer, anything else with nothing. */
  async deliver(
    server: McpServer,
    message: JSONRPCMessage,
    voice: ServerVoice,
    signal: AbortSignal,
  ): Promise<JSONRPCMessage | undefined> {
    this.#connected ??= server.connect(this);
    await this.#connected;
    if (!('method' in message && 'id' in message)) {
      this.onmessage?.(this.#renumbered(message, voice));
      return undefined;
    }
    const ours = ++this.#lastId;
    return new Promise((answer) => {
      this.#waiting.set(ours, { id: message.id, voice, answer });
      signal.addEventListener('abort', () => this.#cancel(ours), { once: true });
      this.onmessage?.({ ...message, id: ours });
    });
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    const waiting =
      'method' in message || message.id === undefined ? undefined : this.#waiting.get(message.id);
    if (!waiting || 'method' in message) {
      for (const voice of this.#voices) voice(message);
      return;
    }
    if (message.id !== undefined) this.#waiting.delete(message.id);
    waiting.answer({ ...message, id: waiting.id });
  }

  async close(): Promise<void> {
    this.#connected = undefined;
    this.onclose?.();
  }

  /** An agent that takes a request back names it by its own number. */
  #renumbered(message: JSONRPCMessage, voice: ServerVoice): JSONRPCMessage {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return message;
    for (const [ours, waiting] of this.#waiting) {
      if (waiting.voice === voice && waiting.id === message.params?.['requestId'])
        return { ...message, params: { ...message.params, requestId: ours } };
    }
    return message;
  }

  #cancel(ours: RequestId): void {
    if (!this.#waiting.delete(ours)) return;
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: ours } });
  }
}

/** A JSON-RPC error, for the request that it answers. */
export function rpcError(id: unknown, code: number, error: unknown): object {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message: messageOf(error) } };
}
