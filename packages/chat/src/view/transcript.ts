import type { Entry } from '../session/entry.ts';
import type { Line } from '../text/line.ts';
import { entryLines } from './entry-lines.ts';

/** What was said and done and is not on the screen yet: the terminal keeps the rest. */
export class Transcript {
  readonly #cwd: string;
  #entries: Entry[] = [];

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** Its rows, to be drawn once. */
  take(columns: number): Line[] {
    return this.#entries.splice(0).flatMap((entry) => entryLines(entry, columns, this.#cwd));
  }
}
