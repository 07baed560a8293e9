import type { IncomingMessage } from 'node:http';
import { AcceptedTransport, type AcceptedTransportOptions, CLOSE_CODE } from '@signalbox/transport';
import type { WebSocket } from 'ws';

/** What a hub wants to know of an agent's link. */
export interface AgentTransportOptions extends AcceptedTransportOptions {
  /** A connection was made, also one that took the place of another. */
  onAttached: () => void;
}

/** The hub's end of an agent's link, which knows whether the agent has got what it was sent. */
export class AgentTransport extends AcceptedTransport {
  readonly #onAttached: () => void;
  #draining: Promise<boolean> | undefined;

  constructor(options: AgentTransportOptions) {
    super(options);
    this.#onAttached = options.onAttached;
  }

  override attach(socket: WebSocket, request: IncomingMessage): void {
    super.attach(socket, request);
    if (this.state === 'connected') this.#onAttached();
  }

  /** End here, because another agent has come: what arrived can be read, and what was not delivered never will be. */
  giveWay(): void {
    this.closeConnection(CLOSE_CODE.replaced);
    this.end();
  }

  /**
   * Settles with true when the agent has all that was sent: acknowledged on a lossless link, written on a plain
   * one. With false when the link ended before.
   */
  delivered(): Promise<boolean> {
    this.#draining ??= this.#drained();
    return this.#draining;
  }

  async #drained(): Promise<boolean> {
    let stop: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      stop = this.onStateChange((state) => {
        if (state === 'closed') resolve();
      });
    });
    if (this.state !== 'closed') await Promise.race([this.sender.drained(), closed]);
    stop();
    this.#draining = undefined;
    return this.state !== 'closed';
  }
}
