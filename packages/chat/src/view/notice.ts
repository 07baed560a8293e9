/** Something that is said once, and goes by itself. */
export class Notice {
  #text = '';
  #until = 0;

  say(text: string, forMs: number): void {
    this.#text = text;
    this.#until = Date.now() + forMs;
  }

  /** Whether there is something to show or to take away. */
  get isShown(): boolean {
    return this.#text !== '';
  }

  textAt(now: number): string {
    if (now > this.#until) this.#text = '';
    return this.#text;
  }
}
