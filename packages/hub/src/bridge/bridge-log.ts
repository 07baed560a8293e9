import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs';

/** A log past this size is set aside as `.1`, in the place of the one before. */
export const LOG_BYTES = 1024 * 1024;

/** How much of a log is quoted to somebody who waits for its bridge. */
const QUOTED_CHARS = 2000;

/** What a bridge did and what its agent said on stderr, in a file that only its owner may read. */
export class BridgeLog {
  readonly file: string;
  #size: number;

  constructor(file: string) {
    this.file = file;
    this.#size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  note(text: string): void {
    this.#append(`${new Date().toISOString()} ${text}\n`);
  }

  /** What the agent wrote to stderr, as it is. */
  agentSaid(text: string): void {
    this.#append(text);
  }

  #append(text: string): void {
    try {
      if (this.#size > LOG_BYTES) {
        renameSync(this.file, `${this.file}.1`);
        this.#size = 0;
      }
      const bytes = Buffer.from(text);
      appendFileSync(this.file, bytes, { mode: 0o600 });
      this.#size += bytes.length;
    } catch {
      // A log that cannot be written must not end the agent.
    }
  }
}

/** The last lines of a bridge's log; empty when there is none. */
export function lastLinesOf(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    const cut = text.slice(-QUOTED_CHARS);
    return cut.length < text.length ? cut.slice(cut.indexOf('\n') + 1) : cut;
  } catch {
    return '';
  }
}
