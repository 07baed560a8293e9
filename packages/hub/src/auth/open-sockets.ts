import type { Device } from '../store/device.ts';

/** How long it may take until a clock that was set is noticed. */
const LOOK_MS = 10_000;

/** A connection, or a request on one, that can be cut. */
export interface Cuttable {
  /** It has been closed already. */
  readonly destroyed: boolean;
  destroy: () => unknown;
  once: (event: 'close', listener: () => void) => unknown;
}

/** The sockets and long requests that devices hold open, so that a token that is revoked or expires takes effect at once. */
export class OpenSockets {
  readonly #byDevice = new Map<string, Set<Cuttable>>();
  readonly #lookMs: number;
  /** Devices whose token was revoked while others were on their way in: those may be of them. */
  readonly #cut = new Set<string>();
  #entering = 0;

  constructor({ lookMs = LOOK_MS }: { lookMs?: number } = {}) {
    this.#lookMs = lookMs;
  }

  /** Let somebody in: from the look at the token until {@link add}, a token that is revoked meanwhile is remembered. */
  async entering<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#entering += 1;
    try {
      return await work();
    } finally {
      this.#entering -= 1;
      if (this.#entering === 0) this.#cut.clear();
    }
  }

  add({ id, expiresAt }: Pick<Device, 'id' | 'expiresAt'>, socket: Cuttable): void {
    if (socket.destroyed) return;
    if (this.#cut.has(id)) {
      socket.destroy();
      return;
    }
    const sockets = this.#byDevice.get(id) ?? new Set();
    this.#byDevice.set(id, sockets);
    sockets.add(socket);
    if (expiresAt !== null) endAt(expiresAt, socket, this.#lookMs);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && this.#byDevice.get(id) === sockets) this.#byDevice.delete(id);
    });
  }

  /** Cut all that a device holds; it gets no more. */
  cut(device: string): void {
    if (this.#entering > 0) this.#cut.add(device);
    for (const socket of this.#byDevice.get(device) ?? []) socket.destroy();
  }
}

/**
 * End a socket when its time has come by the clock, which may be set forward, or has passed by a watch, whatever the clock
 * says. One that is cut by the watch while the clock was set back comes back, as long as its token is good.
 */
function endAt(time: number, socket: Cuttable, lookMs: number): void {
  const end = performance.now() + time - Date.now();
  const look = (): void => {
    const left = Math.min(time - Date.now(), end - performance.now());
    if (left <= 0) socket.destroy();
    else timer = setTimeout(look, Math.min(left, lookMs)).unref();
  };
  let timer: NodeJS.Timeout | undefined;
  look();
  socket.once('close', () => clearTimeout(timer));
}
