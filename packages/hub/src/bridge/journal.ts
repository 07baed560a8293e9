import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { JournalWriteError } from './bridge-errors.ts';

/** A new file is begun past this size, and old ones go when all of their lines were acknowledged. */
export const JOURNAL_FILE_BYTES = 4 * 1024 * 1024;

const NEWLINE = Buffer.from('\n');

/** The file that is written to. */
interface OpenFile {
  descriptor: number;
  size: number;
}

/**
 * The lines of one epoch, on disk before they are sent, so that they survive a kill of this process. They are
 * given to the system and not forced to the platter: a power cut may take the last ones.
 */
export class Journal {
  readonly directory: string;
  readonly #onError: (error: JournalWriteError) => void;
  #open: OpenFile | undefined;
  /** The first line of each file, oldest first. */
  #firsts: number[] = [];
  #last = 0;
  #health: 'well' | 'failing' = 'well';

  constructor(directory: string, onError: (error: JournalWriteError) => void) {
    this.directory = directory;
    this.#onError = onError;
  }

  /** The number of the last line. */
  get last(): number {
    return this.#last;
  }

  /** Write a line down. One that the disk refuses keeps its number, so that a later reader sees the gap. */
  append(line: Uint8Array): void {
    this.#last += 1;
    try {
      this.#open ??= this.#begin();
      write(this.#open, line);
      this.#health = 'well';
    } catch (error) {
      this.#cutOff();
      if (this.#health === 'well') this.#onError(new JournalWriteError(this.directory, error));
      this.#health = 'failing';
    }
  }

  /** True when a file is full: a good moment to `trim`. */
  get isFileFull(): boolean {
    return (this.#open?.size ?? 0) > JOURNAL_FILE_BYTES;
  }

  /** Begin a new file, and remove those that hold nothing but lines up to `acknowledged`. */
  trim(acknowledged: number): void {
    this.close();
    while (this.#firsts[0] !== undefined && (this.#firsts[1] ?? this.#last + 1) <= acknowledged + 1) {
      rmSync(this.#fileOf(this.#firsts[0]), { force: true });
      this.#firsts.shift();
    }
  }

  close(): void {
    if (this.#open) closeSync(this.#open.descriptor);
    this.#open = undefined;
  }

  /** All lines were acknowledged. */
  remove(): void {
    this.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  #begin(): OpenFile {
    mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    const descriptor = openSync(this.#fileOf(this.#last), 'wx', 0o600);
    this.#firsts.push(this.#last);
    return { descriptor, size: 0 };
  }

  /** What is not whole must not be there; the next line goes to a file of its own, which names its number. */
  #cutOff(): void {
    if (!this.#open) return;
    try {
      ftruncateSync(this.#open.descriptor, this.#open.size);
    } catch {
      // A reader drops a last line without its end.
    }
    this.close();
  }

  #fileOf(first: number): string {
    return join(this.directory, `${first}.ndjson`);
  }
}

function write(file: OpenFile, line: Uint8Array): void {
  const content = Buffer.concat([line, NEWLINE]);
  for (let at = 0; at < content.length; ) at += writeSync(file.descriptor, content, at);
  file.size += content.length;
}
