import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { turns } from '../../base/turns.ts';

/** How many requests of one connection may wait for the answers before them; one that sends more is cut. */
export const MAX_WAITING_REQUESTS = 256;

/**
 * Has the requests of a connection answered one after the other. Some 60 kB of requests that nobody reads the answers of
 * would otherwise be a thousand answers in memory, and all the work for them at once, from anybody who reaches the port.
 */
export class RequestTurns {
  /** Of connections that have a request in work, those that wait. */
  readonly #waiting = new WeakMap<Socket, (() => void)[]>();

  /** Call `answer` when the requests before this one on its connection are answered; never when the client has left. */
  take({ socket }: IncomingMessage, response: ServerResponse, answer: () => void): void {
    const begin = (): void => {
      // One that is not finished ends its connection, and with it all that wait.
      response.once('finish', () => void this.#next(socket));
      answer();
    };
    const waiting = this.#waiting.get(socket);
    // Some requests of what was read at once may be left of a connection that is cut.
    if (socket.destroyed) return;
    if (waiting && waiting.length >= MAX_WAITING_REQUESTS) socket.destroy();
    else if (waiting) {
      waiting.push(begin);
      // What was read at once is here already; the connection brings no more until that is answered.
      socket.pause();
    } else {
      this.#waiting.set(socket, []);
      begin();
    }
  }

  async #next(socket: Socket): Promise<void> {
    const waiting = this.#waiting.get(socket) ?? [];
    // Short answers are read at once: a thousand of them must not keep everybody else waiting.
    if (waiting.length > 0 && turns.isOver) await turns.rest();
    const begin = socket.destroyed ? undefined : waiting.shift();
    if (!begin) this.#waiting.delete(socket);
    if (waiting.length === 0) socket.resume();
    begin?.();
  }
}
