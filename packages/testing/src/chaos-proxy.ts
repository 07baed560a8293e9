import { connect, createServer, type Server, type Socket } from 'node:net';
import { listenOnLoopback } from './loopback.ts';
import type { SeededRandom } from './seeded-random.ts';

/** How a connection ends: both ways at once, with a reset, or one way only. */
const FAULTS = ['cut', 'reset', 'half-close-up', 'half-close-down'] as const;

/** After how many bytes it ends: within the handshake, around the greetings, among the lines, behind long lines. */
const BUDGETS = [300, 1200, 20_000, 200_000, 2_000_000] as const;

/** A TCP proxy on loopback that splits and delays what it passes on, and breaks connections sooner or later. */
export class ChaosProxy {
  /** Connections that it broke. */
  faults = 0;
  readonly #random: SeededRandom;
  readonly #target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #maxFaults: number;

  constructor(target: number, random: SeededRandom, maxFaults: number) {
    this.#target = target;
    this.#random = random;
    this.#maxFaults = maxFaults;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  async listen(): Promise<URL> {
    return new URL(`ws://127.0.0.1:${await listenOnLoopback(this.#server)}/`);
  }

  /** It has broken as many connections as it was to, and lets the others live. */
  get isDone(): boolean {
    return this.faults >= this.#maxFaults;
  }

  stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #accept(client: Socket): void {
    const server = connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', () => {});
      socket.once('close', () => this.#sockets.delete(socket));
    }
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
    let budget = this.#random.below(BUDGETS[this.#random.below(BUDGETS.length)] ?? 1);
    const spend = (bytes: number): number => {
      if (this.isDone) return bytes;
      const spent = Math.min(bytes, budget);
      budget -= spent;
      return spent;
    };
    let isBroken = false;
    const breakOff = (): void => {
      if (!isBroken) this.faults += 1;
      isBroken = true;
      const fault = FAULTS[this.#random.below(FAULTS.length)];
      if (fault === 'half-close-up') server.end();
      else if (fault === 'half-close-down') client.end();
      else if (fault === 'reset') server.resetAndDestroy();
      if (fault === 'reset') client.resetAndDestroy();
      else if (fault === 'cut') client.destroy();
    };
    void this.#pass(client, server, spend, breakOff);
    void this.#pass(server, client, spend, breakOff);
  }

  async #pass(
    from: Socket,
    to: Socket,
    spend: (bytes: number) => number,
    breakOff: () => void,
  ): Promise<void> {
    try {
      for await (const chunk of from.iterator({ destroyOnReturn: false })) {
        const whole: Buffer = chunk;
        for (let at = 0; at < whole.length; ) {
          const piece = whole.subarray(at, at + this.#pieceSize(whole.length));
          at += piece.length;
          if (this.#random.chance(5)) await new Promise(setImmediate);
          const passed = spend(piece.length);
          if (!to.write(piece.subarray(0, passed))) await drained(to);
          if (passed < piece.length) return breakOff();
        }
      }
      to.end();
    } catch {
      to.destroy();
    }
  }

  #pieceSize(available: number): number {
    return this.#random.chance(30) ? 1 + this.#random.below(100) : available;
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve);
    socket.once('close', () => resolve());
  });
}
