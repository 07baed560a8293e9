import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { realPath } from '@signalbox/transport/real-path';
import { ToolFailure } from '../base/tool-failure.ts';

/** How many files are remembered; the one that was seen longest ago is forgotten first. */
export const MAX_REMEMBERED_FILES = 10_000;

/** What a session has seen of the files it works on, by their real paths: nothing unseen is overwritten. */
export class FileMemory {
  readonly #seen = new Map<string, string>();

  /** The session has read or written this file, and this is how it was right before it was read, or after it was written. */
  saw(path: string, stats: Stats): void {
    this.#seen.delete(path);
    this.#seen.set(path, versionOf(stats));
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_REMEMBERED_FILES && oldest !== undefined) this.#seen.delete(oldest);
  }

  /**
   * What a loaded conversation knew until when. A file that was changed after that is as one that was never read; times of transcripts
   * are whole milliseconds, those of files are not.
   */
  async recall(files: readonly { path: string; until: number }[]): Promise<void> {
    for (const { path: named, until } of files.slice(-MAX_REMEMBERED_FILES)) {
      const path = realPath(named);
      const stats = await stat(path).catch(() => undefined);
      if (stats && Math.floor(stats.mtimeMs) <= until) this.saw(path, stats);
    }
  }

  /** Throws, in words for the model, when the file was not read, or was changed since. A file that is not there is fine. */
  async assertFresh(path: string): Promise<void> {
    const stats = await stat(path).catch(() => undefined);
    if (!stats) return;
    const seen = this.#seen.get(path);
    if (seen === undefined) {
      throw new ToolFailure('File has not been read yet. Read it first before writing to it.');
    }
    if (seen !== versionOf(stats)) {
      throw new ToolFailure('File has been modified since it was read. Read it again before writing to it.');
    }
  }
}

function versionOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}
