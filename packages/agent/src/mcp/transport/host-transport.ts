import type { Transport as McpTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type JsonObject, parseControlPayload } from '@signalbox/protocol';

/** Sends a message to a server in the host; resolves with the answer of the control request `mcp_message`. */
export type SendToHost = (serverName: string, message: JsonObject, signal?: AbortSignal) => Promise<unknown>;

/** An MCP server that lives in the host: its messages travel inside of control requests. */
export class HostServerTransport implements McpTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #name: string;
  readonly #sendToHost: SendToHost;
  readonly #underWay = new Map<string | number, AbortController>();
  #state: 'open' | 'closed' = 'open';

  constructor(name: string, sendToHost: SendToHost) {
    this.#name = name;
    this.#sendToHost = sendToHost;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!isJSONRPCRequest(message)) {
      this.#cancelIfSo(message);
      await this.#sendToHost(this.#name, { ...message });
      return;
    }
    const cancel = new AbortController();
    this.#underWay.set(message.id, cancel);
    try {
      const answer = await this.#sendToHost(this.#name, { ...message }, cancel.signal);
      const { mcp_response: response } = parseControlPayload('mcp_message', answer);
      // A host may also answer with a message of its own, later.
      if (response !== undefined && response !== null) this.receive(response);
    } finally {
      this.#underWay.delete(message.id);
    }
  }

  /** What the server says by itself. Throws when it is no JSON-RPC message. */
  receive(message: unknown): void {
    if (this.#state === 'open') this.onmessage?.(JSONRPCMessageSchema.parse(message));
  }

  close(): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closed';
      for (const cancel of this.#underWay.values()) cancel.abort();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** The host need not work on what nobody waits for. */
  #cancelIfSo(message: JSONRPCMessage): void {
    const { data } = CancelledNotificationSchema.safeParse(message);
    if (data?.params.requestId !== undefined) this.#underWay.get(data.params.requestId)?.abort();
  }
}
