import type { Duplex } from 'node:stream';
import type { Device } from '../store/device.ts';

/** The longest that a timer can be set for. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The sockets that devices hold open, so that a token that is revoked or expires takes effect at once. */
export class OpenSockets {
  readonly #byDevice = new Map<string, Set<Duplex>>();
  /** One who was let in a moment before its token was revoked may get here a moment after. */
  readonly #cut = new Set<string>();

  add({ id, expiresAt }: Pick<Device, 'id' | 'expiresAt'>, socket: Duplex): void {
    if (this.#cut.has(id)) {
      socket.destroy();
      return;
    }
    const sockets = this.#byDevice.get(id) ?? new Set();
    this.#byDevice.set(id, sockets);
    sockets.add(socket);
    const timer = expiresAt === null ? undefined : endAt(expiresAt, socket);
    socket.once('close', () => {
      clearTimeout(timer);
      sockets.delete(socket);
      if (sockets.size === 0 && this.#byDevice.get(id) === sockets) this.#byDevice.delete(id);
    });
  }

  /** Cut all that a device holds; it gets no more. */
  cut(device: string): void {
    this.#cut.add(device);
    for (const socket of this.#byDevice.get(device) ?? []) socket.destroy();
  }
}

/** A socket that is cut before its time, because the timer reaches no further, comes back. */
function endAt(time: number, socket: Duplex): NodeJS.Timeout {
  const left = Math.min(Math.max(0, time - Date.now()), MAX_TIMER_MS);
  return setTimeout(() => socket.destroy(), left).unref();
}
