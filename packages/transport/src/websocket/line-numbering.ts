import type { LinkPosition } from '../link/link-frame.ts';

/** From the `index`-th line on, lines belong to `epoch` and are numbered from `number`. */
interface Mark {
  index: number;
  epoch: string;
  number: number;
}

/** Which number the line has that a consumer holds, while later ones arrive, also from other epochs. */
export class LineNumbering {
  #arrived = 0;
  #asked = 0;
  #marks: Mark[] = [];

  /** The next line that arrives has this number. */
  start(epoch: string, number: number): void {
    if (this.#marks.at(-1)?.index === this.#arrived) this.#marks.pop();
    this.#marks.push({ index: this.#arrived, epoch, number });
  }

  noteArrival(): void {
    this.#arrived += 1;
  }

  /** The consumer asked for one more line; it may have to wait for it. */
  noteRequest(): void {
    this.#asked += 1;
  }

  /** The number of the last line that the consumer was given; null before the first. */
  get position(): LinkPosition | null {
    const given = Math.min(this.#asked, this.#arrived);
    while (this.#marks[1] && this.#marks[1].index < given) this.#marks.shift();
    const [mark] = this.#marks;
    if (!mark || given <= mark.index) return null;
    return { epoch: mark.epoch, count: mark.number + given - 1 - mark.index };
  }
}
