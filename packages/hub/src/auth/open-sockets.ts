import type { Duplex } from 'node:stream';

/** The sockets that devices hold open, so that a revoked token takes effect at once. */
export class OpenSockets {
  readonly #byDevice = new Map<string, Set<Duplex>>();
  /** One who was let in a moment before its token was revoked may get here a moment after. */
  readonly #cut = new Set<string>();

  add(device: string, socket: Duplex): void {
    if (this.#cut.has(device)) {
      socket.destroy();
      return;
    }
    const sockets = this.#byDevice.get(device) ?? new Set();
    this.#byDevice.set(device, sockets);
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && this.#byDevice.get(device) === sockets) this.#byDevice.delete(device);
    });
  }

  /** Cut all that a device holds; it gets no more. */
  cut(device: string): void {
    this.#cut.add(device);
    for (const socket of this.#byDevice.get(device) ?? []) socket.destroy();
  }
}
