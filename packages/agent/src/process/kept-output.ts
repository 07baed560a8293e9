import { headOf, tailOf } from '../base/cut-text.ts';

/** The beginning and the end of a text of any length, in memory that does not grow with it. */
export class KeptOutput {
  readonly #half: number;
  #head = '';
  #tail = '';
  #length = 0;

  constructor(maxChars: number) {
    this.#half = Math.ceil(maxChars / 2);
  }

  add(text: string): void {
    this.#length += text.length;
    const room = this.#half - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    if (this.#tail.length > 4 * this.#half) this.#tail = this.#tail.slice(-this.#half);
  }

  /** What is left of it, with a note where something is missing. */
  text(): string {
    const dropped = this.#length - 2 * this.#half;
    if (dropped <= 0) return this.#head + this.#tail;
    const head = headOf(this.#head, this.#half);
    return `${head}\n… ${dropped} characters were left out here …\n${tailOf(this.#tail, this.#half)}`;
  }
}
