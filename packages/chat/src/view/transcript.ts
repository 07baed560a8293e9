import type { Entry } from '../session/entry.ts';
import type { Block } from '../terminal/screen.tsx';
import type { Line } from '../text/line.ts';
import { entryLines } from './entry-lines.ts';

/** What was said and done, as the screen draws it. */
export class Transcript {
  readonly #cwd: string;
  #blocks: Block[] = [];

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  get blocks(): Block[] {
    return this.#blocks;
  }

  add(entry: Entry): void {
    this.#blocks = [...this.#blocks, blockOf(entry, `entry-${this.#blocks.length}`, this.#cwd)];
  }
}

/** An entry is drawn once; after that only its rows are kept, not the files and outputs that it was made of. */
function blockOf(entry: Entry, id: string, cwd: string): Block {
  let source: Entry | undefined = entry;
  let drawn: Line[] = [];
  return {
    id,
    lines(columns) {
      if (source) drawn = entryLines(source, columns, cwd);
      source = undefined;
      return drawn;
    },
  };
}
