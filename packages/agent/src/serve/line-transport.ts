import type { Transport as McpTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Transport } from '@signalbox/transport';

/** MCP over a transport of lines, with its limits. A line that is no message is told and passed over. */
export class LineTransport implements McpTransport {
  readonly #lines: Transport;
  /** Settles when the other side says nothing more. */
  readonly ended: Promise<void>;
  #end: () => void = () => {};
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(lines: Transport) {
    this.#lines = lines;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(): Promise<void> {
    void this.#read().then(this.#end, this.#end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#lines.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    await this.#lines.close();
    this.onclose?.();
  }

  async #read(): Promise<void> {
    for await (const line of this.#lines.receive()) {
      try {
        this.onmessage?.(JSONRPCMessageSchema.parse(line.json()));
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }
}
