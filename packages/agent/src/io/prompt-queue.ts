import { LIMITS, type PromptMessage } from '@signalbox/protocol';
import { PromptQueueFullError } from '../base/agent-errors.ts';
import type { LateAnswer } from '../base/host.ts';

/** What a turn can begin with. */
type Beginning = PromptMessage | LateAnswer;

/** Prompts that wait for their turn, each taken once however often its uuid arrives. */
export class PromptQueue {
  readonly #waiting: { readonly prompt: Beginning; readonly bytes: number }[] = [];
  readonly #seen: Set<string>;
  readonly #onCancelled: (uuid: string) => void;
  #bytes = 0;
  #ended = false;
  #wake: () => void = () => {};

  /** `answered` were taken in an earlier run of the session; `onCancelled` hears of what is taken back. */
  constructor(answered: Iterable<string> = [], onCancelled: (uuid: string) => void = () => {}) {
    this.#onCancelled = onCancelled;
    this.#seen = new Set(answered);
  }

  /** False when a prompt with this uuid was taken before. Throws {@link PromptQueueFullError}. */
  add(prompt: Beginning): boolean {
    const { uuid } = prompt;
    if (typeof uuid === 'string' && this.#seen.has(uuid)) return false;
    const bytes = prompt.type === 'user' ? Buffer.byteLength(JSON.stringify(prompt.message)) : 0;
    // To read no further would keep the host from answering what the turn before waits for: it is told instead.
    if (!this.#hasRoomFor(bytes)) throw new PromptQueueFullError(uuid ?? undefined);
    if (typeof uuid === 'string') this.#seen.add(uuid);
    this.#waiting.push({ prompt, bytes });
    this.#bytes += bytes;
    this.#wake();
    return true;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** The uuids of the prompts that wait, oldest first. */
  waitingIds(): string[] {
    return this.#waiting.flatMap(({ prompt: { uuid } }) => uuid ?? []);
  }

  /** Take a prompt back before its turn; false when it is not waiting. */
  cancel(uuid: string): boolean {
    const at = this.#waiting.findIndex(({ prompt }) => prompt.uuid === uuid);
    if (at === -1 || !this.#take(at)) return false;
    this.#onCancelled(uuid);
    return true;
  }

  /** Take all that wait back; returns their uuids. */
  cancelAll(): string[] {
    const ids = this.waitingIds();
    this.#waiting.length = 0;
    this.#bytes = 0;
    for (const id of ids) this.#onCancelled(id);
    return ids;
  }

  /** No more prompts will come; those that wait are still handed out. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The next prompt, when there is one; undefined after the last, and when none came for so long. */
  async next(patienceMs?: number): Promise<Beginning | undefined> {
    while (this.#waiting.length === 0 && !this.#ended) {
      const isIdle = await new Promise<boolean>((resolve) => {
        const timer = patienceMs === undefined ? undefined : setTimeout(() => resolve(true), patienceMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve(false);
        };
      });
      if (isIdle) return undefined;
    }
    return this.#take(0);
  }

  #take(at: number): Beginning | undefined {
    const [taken] = this.#waiting.splice(at, 1);
    this.#bytes -= taken?.bytes ?? 0;
    return taken?.prompt;
  }

  /** One prompt alone may be as long as a line. */
  #hasRoomFor(bytes: number): boolean {
    if (this.#waiting.length === 0) return true;
    return (
      this.#waiting.length < LIMITS.queuedPrompts.most && this.#bytes + bytes <= LIMITS.queuedPromptBytes.most
    );
  }
}
