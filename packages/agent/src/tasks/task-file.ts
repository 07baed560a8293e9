import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';

/** How much of what a task says is written down; a task may run for days. */
export const MAX_TASK_FILE_BYTES = 16 * 1024 * 1024;

/** What a background task says, in a file for its owner only. A disk that cannot take it does not stop the task. */
export class TaskFile {
  readonly path: string;
  readonly #stream: WriteStream;
  readonly #closed: Promise<void>;
  #bytes = 0;

  /** Undefined where there is no place for it. */
  static create(path: string | undefined): TaskFile | undefined {
    try {
      if (path === undefined) return undefined;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      return new TaskFile(path);
    } catch {
      return undefined;
    }
  }

  private constructor(path: string) {
    this.path = path;
    this.#stream = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    this.#closed = finished(this.#stream).catch(() => {});
  }

  add(text: string): void {
    if (this.#bytes > MAX_TASK_FILE_BYTES || this.#stream.destroyed) return;
    this.#bytes += Buffer.byteLength(text);
    this.#stream.write(this.#bytes > MAX_TASK_FILE_BYTES ? '\n… the rest was not written down …\n' : text);
  }

  /** Settles when everything is on disk, or never will be. */
  async close(): Promise<void> {
    this.#stream.end();
    await this.#closed;
  }
}
