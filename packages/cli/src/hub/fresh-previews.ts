import { isJsonObject } from '@signalbox/protocol';

/** How many parts of a reply are remembered: a hub shows no more of one that is being written. */
const REMEMBERED = 100_000;

/** After a break a hub shows a half-written reply from its start: what was shown before must not be shown again. */
export class FreshPreviews {
  readonly #seen = new Set<string>();

  /** Whether this part has not come yet. */
  isFresh(message: unknown): boolean {
    const uuid = isJsonObject(message) ? message.uuid : undefined;
    if (typeof uuid !== 'string') return true;
    if (this.#seen.has(uuid)) return false;
    if (this.#seen.size >= REMEMBERED) this.#seen.clear();
    this.#seen.add(uuid);
    return true;
  }
}
