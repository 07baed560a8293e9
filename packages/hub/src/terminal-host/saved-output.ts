import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ScreenSnapshot } from './screen.ts';
import { TerminalLogError } from './terminal-errors.ts';

const FILE = /^output-(\d+)$/;

/** What a terminal left behind: its screen at some point, and what was written to it after that. */
export interface SavedScreen {
  screen: ScreenSnapshot;
  bytes: Buffer;
}

/**
 * What a terminal wrote last, on disk: a file begins with the screen as it was, as a line of JSON, and has the bytes that
 * followed. So the last screen can be drawn when the terminal's process is gone, however it went.
 */
export class SavedOutput {
  readonly #folder: string;
  readonly #onTrouble: (error: Error) => void;
  #file: number | undefined;
  /** The bytes that the current file has, after its screen. */
  #size = 0;
  #hasFailed = false;

  constructor(folder: string, onTrouble: (error: Error) => void) {
    this.#folder = folder;
    this.#onTrouble = onTrouble;
  }

  get size(): number {
    return this.#size;
  }

  append(bytes: Uint8Array): void {
    this.#size += bytes.length;
    this.#attempt(() => {
      if (this.#file !== undefined) writeAll(this.#file, bytes);
    });
  }

  /** Begin another file with this screen; `rest` is what was written after it. The one before is removed. */
  begin(screen: ScreenSnapshot, rest: Uint8Array): void {
    this.#size = rest.length;
    this.#attempt(() => {
      const name = join(this.#folder, `output-${screen.offset}`);
      // Whole or not there: a kill must not leave half of a screen as the newest.
      const file = openSync(`${name}.new`, 'w', 0o600);
      this.#close();
      this.#file = file;
      writeAll(file, Buffer.from(`${JSON.stringify(screen)}\n`));
      writeAll(file, rest);
      renameSync(`${name}.new`, name);
      this.#hasFailed = false;
      for (const [other, offset] of filesIn(this.#folder))
        if (offset !== screen.offset) rmSync(join(this.#folder, other), { force: true });
    });
  }

  end(): void {
    this.#attempt(() => this.#close());
  }

  #close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
  }

  /** A full disk does not end a shell. Bytes after one that could not be written would be wrong: the file is left. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (this.#file !== undefined) closeSync(this.#file);
      this.#file = undefined;
      if (!this.#hasFailed) this.#onTrouble(new TerminalLogError(this.#folder, error));
      this.#hasFailed = true;
    }
  }
}

/** The last screen that a terminal left in its folder; undefined when there is none that can be read. */
export function readSavedScreen(folder: string): SavedScreen | undefined {
  const newest = filesIn(folder).toSorted(([, one], [, other]) => other - one)[0];
  if (!newest) return undefined;
  try {
    const content = readFileSync(join(folder, newest[0]));
    const end = content.indexOf('\n');
    // Written by this program and put into its place whole.
    const screen: ScreenSnapshot = JSON.parse(content.toString('utf8', 0, end));
    return { screen, bytes: content.subarray(end + 1) };
  } catch {
    return undefined;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function filesIn(folder: string): [name: string, offset: number][] {
  try {
    return readdirSync(folder).flatMap((name): [string, number][] => {
      const offset = FILE.exec(name)?.[1];
      return offset === undefined ? [] : [[name, Number(offset)]];
    });
  } catch {
    return [];
  }
}
