import type { WireLine } from '@signalbox/protocol';

/** What is kept of replies that are being written; a longer one is shown live and not to those who come late. */
export const MAX_PREVIEW_BYTES = 1024 * 1024;

/** The thread that speaks for the session itself. */
const MAIN = '';

/** The parts of replies that are not in the record yet, of the session's thread and of its sub-agents. */
export class Previews {
  readonly #threads = new Map<string, WireLine[]>();
  #bytes = 0;

  add(line: WireLine): void {
    if (this.#bytes > MAX_PREVIEW_BYTES) return;
    const thread = line.head().parentToolUseId ?? MAIN;
    const lines = this.#threads.get(thread) ?? [];
    lines.push(line);
    this.#threads.set(thread, lines);
    this.#bytes += line.byteLength;
  }

  /** A whole message has taken the place of its parts. */
  settle(line: WireLine): void {
    if (this.#threads.size === 0) return;
    const { type, parentToolUseId } = line.head();
    if (type === 'result') {
      this.#threads.clear();
      this.#bytes = 0;
    } else if (type === 'assistant') this.#drop(parentToolUseId ?? MAIN);
  }

  /** What a late viewer has to be shown. */
  lines(): WireLine[] {
    return this.#bytes > MAX_PREVIEW_BYTES ? [] : [...this.#threads.values()].flat();
  }

  #drop(thread: string): void {
    for (const { byteLength } of this.#threads.get(thread) ?? []) this.#bytes -= byteLength;
    this.#threads.delete(thread);
  }
}
