import type { Socket } from 'node:net';

/** The other side closed the connection in the middle of an answer. */
class ConnectionClosedError extends Error {
  readonly code = 'ECONNRESET';
  override message = 'The connection was closed before the answer was whole.';
}

/** What comes over a socket, taken as it is needed: nothing is read ahead of who asks. */
export class IncomingBytes {
  readonly #chunks: AsyncIterator<Buffer>;
  /** Was read, and not taken yet. */
  #left: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#chunks = socket.iterator({ destroyOnReturn: false });
  }

  /** A line without its end; undefined when it has not ended within so many bytes. Raises what ends the connection. */
  async line(most: number): Promise<string | undefined> {
    for (;;) {
      const end = this.#left.indexOf('\n');
      if (end > most || (end < 0 && this.#left.length > most)) return undefined;
      if (end >= 0)
        return this.#take(end + 1)
          .toString('latin1')
          .trimEnd();
      const more = await this.#read();
      if (!more) throw new ConnectionClosedError();
      this.#left = Buffer.concat([this.#left, more]);
    }
  }

  /** The next so many bytes, in pieces as they come. Raises what ends the connection. */
  async *exactly(count: number): AsyncGenerator<Buffer> {
    for (let missing = count; missing > 0; ) {
      const piece = await this.#some(missing);
      if (!piece) throw new ConnectionClosedError();
      missing -= piece.length;
      yield piece;
    }
  }

  /** All that comes until the other side closes the connection. */
  async *rest(): AsyncGenerator<Buffer> {
    for (let piece = await this.#some(); piece; piece = await this.#some()) yield piece;
  }

  async #some(most = Infinity): Promise<Buffer | undefined> {
    if (this.#left.length === 0) this.#left = (await this.#read()) ?? this.#left;
    return this.#left.length === 0 ? undefined : this.#take(Math.min(most, this.#left.length));
  }

  #take(count: number): Buffer {
    const taken = this.#left.subarray(0, count);
    this.#left = this.#left.subarray(count);
    return taken;
  }

  async #read(): Promise<Buffer | undefined> {
    const next: IteratorResult<Buffer, unknown> = await this.#chunks.next();
    return next.done ? undefined : next.value;
  }
}
