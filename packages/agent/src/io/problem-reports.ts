/** Problems for a person who has nowhere to read them yet: they wait until there is a session to tell them in. */
export class ProblemReports {
  #waiting: string[] = [];
  #tell: (text: string) => void = (text) => void this.#waiting.push(text);

  readonly add = (text: string): void => this.#tell(text);

  /** From now on they are told; those that wait come first. */
  tellTo(tell: (text: string) => void): void {
    this.#tell = tell;
    for (const text of this.#waiting.splice(0)) tell(text);
  }
}
