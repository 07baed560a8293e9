const FIRST_BYTES = 64 * 1024;

/** The last bytes of a stream, by their absolute offsets; grows up to a limit, and then forgets the oldest. */
export class ByteRing {
  readonly #most: number;
  #bytes: Buffer;
  #start = 0;
  #end = 0;

  constructor(most: number) {
    this.#most = most;
    this.#bytes = Buffer.allocUnsafe(Math.min(FIRST_BYTES, most));
  }

  /** The offset of the oldest byte that is there. */
  get start(): number {
    return this.#start;
  }

  /** The offset of the next byte. */
  get end(): number {
    return this.#end;
  }

  push(chunk: Uint8Array): void {
    this.#makeRoom(chunk.length);
    const size = this.#bytes.length;
    // Of more than there is room for, the last.
    const kept = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
    const at = (this.#end + chunk.length - kept.length) % size;
    const first = Math.min(kept.length, size - at);
    this.#bytes.set(kept.subarray(0, first), at);
    this.#bytes.set(kept.subarray(first), 0);
    this.#end += chunk.length;
    this.#start = Math.max(this.#start, this.#end - size);
  }

  /** Up to `most` bytes from an offset on, as a copy: the ring goes round. */
  read(from: number, most: number): Buffer {
    const size = this.#bytes.length;
    const length = Math.max(0, Math.min(most, this.#end - from));
    const copy = Buffer.allocUnsafe(length);
    const at = from % size;
    const first = Math.min(length, size - at);
    this.#bytes.copy(copy, 0, at, at + first);
    this.#bytes.copy(copy, first, 0, length - first);
    return copy;
  }

  #makeRoom(more: number): void {
    const needed = this.#end - this.#start + more;
    let size = this.#bytes.length;
    if (needed <= size || size === this.#most) return;
    while (size < needed && size < this.#most) size *= 2;
    const old = this.read(this.#start, this.#end - this.#start);
    const start = this.#start;
    this.#bytes = Buffer.allocUnsafe(Math.min(size, this.#most));
    this.#end = start;
    this.push(old);
    this.#start = start;
  }
}
