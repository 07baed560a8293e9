import { settledLength } from '../text/markdown.ts';

/** A block that the model is writing: what of it is settled was handed out, the rest is still alive. */
export class LiveReply {
  readonly kind: 'text' | 'thinking';
  #settled = '';
  #rest = '';

  constructor(kind: 'text' | 'thinking') {
    this.kind = kind;
  }

  /** What may still change. */
  get rest(): string {
    return this.#rest;
  }

  get isStart(): boolean {
    return this.#settled === '';
  }

  /** Take what was written, and hand out what that settled. */
  add(text: string): string {
    this.#rest += text;
    // A block is over at the earliest when a new line begins.
    if (this.kind === 'thinking' || !text.includes('\n')) return '';
    const length = settledLength(this.#rest);
    const settled = this.#rest.slice(0, length);
    this.#settled += settled;
    this.#rest = this.#rest.slice(length);
    return settled;
  }

  /** Everything that was written so far. */
  get whole(): string {
    return this.#settled + this.#rest;
  }

  /** What was not handed out of the block, given how it ended. */
  remainder(final: string): string {
    return final.startsWith(this.#settled) ? final.slice(this.#settled.length) : this.#rest;
  }
}
