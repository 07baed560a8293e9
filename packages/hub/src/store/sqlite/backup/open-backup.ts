import { type FileHandle, open } from 'node:fs/promises';
import type { Backup } from '../../backup.ts';

const CHUNK_BYTES = 256 * 1024;

/** A copy that is read from an open file: its name may go meanwhile. */
export class OpenBackup implements Backup {
  readonly bytes: number;
  readonly #file: FileHandle;
  #isOpen = true;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.bytes = bytes;
  }

  static async open(path: string): Promise<OpenBackup> {
    const file = await open(path, 'r');
    return new OpenBackup(file, (await file.stat()).size);
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#isOpen) return { done: true, value: undefined };
    const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(CHUNK_BYTES));
    return bytesRead > 0 ? { done: false, value: buffer.subarray(0, bytesRead) } : this.return();
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    if (this.#isOpen) await this.#file.close();
    this.#isOpen = false;
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
