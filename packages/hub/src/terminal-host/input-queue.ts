import { write, writeSync } from 'node:fs';
import { LIMITS } from '@signalbox/protocol';

/** Between two attempts to write to a program that does not read. */
const RETRY_MS = 10;

/** What is typed, on its way to a terminal that may take none at the moment. */
export class InputQueue {
  readonly #fd: number;
  readonly #chunks: Uint8Array[] = [];
  #waiting = 0;
  #state: 'idle' | 'writing' | 'ended' = 'idle';

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** False when too much waits already: none of it is taken then. */
  push(bytes: Uint8Array): boolean {
    if (this.#waiting + bytes.length > LIMITS.terminalInputBytes.most) return false;
    if (this.#state === 'ended') return true;
    const rest = this.#state === 'idle' ? bytes.subarray(this.#takenNow(bytes)) : bytes;
    if (rest.length === 0) return true;
    this.#chunks.push(rest);
    this.#waiting += rest.length;
    if (this.#state === 'idle') this.#next();
    return true;
  }

  end(): void {
    this.#state = 'ended';
    this.#chunks.length = 0;
  }

  /** How much the terminal takes at once: a key must not wait for a thread. The descriptor never blocks. */
  #takenNow(bytes: Uint8Array): number {
    try {
      return writeSync(this.#fd, bytes);
    } catch {
      // Full, or gone: the next attempt tells which.
      return 0;
    }
  }

  #next(): void {
    const [chunk] = this.#chunks;
    if (this.#state === 'ended') return;
    this.#state = chunk ? 'writing' : 'idle';
    if (!chunk) return;
    write(this.#fd, chunk, (error, written) => {
      if (this.#state === 'ended') return;
      if (error?.code === 'EAGAIN') return void setTimeout(() => this.#next(), RETRY_MS).unref();
      // The shell is gone, which is told by its exit.
      if (error) return this.end();
      this.#waiting -= written;
      if (written === chunk.length) this.#chunks.shift();
      else this.#chunks[0] = chunk.subarray(written);
      this.#next();
    });
  }
}
