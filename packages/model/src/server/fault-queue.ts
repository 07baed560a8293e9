import { FaultQueueFullError } from '../errors.ts';
import type { Fault } from '../scenario/schema.ts';

/** Faults that can wait at once. */
export const FAULT_QUEUE_LIMIT = 1_000;

/** Faults injected from outside: each strikes its next `first` requests (one, if not said), then the next one is due. */
export class FaultQueue {
  readonly #queue: { readonly fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    if (this.#queue.length >= FAULT_QUEUE_LIMIT) throw new FaultQueueFullError(FAULT_QUEUE_LIMIT);
    this.#queue.push({ fault, left: fault.first ?? 1 });
  }

  take(): Fault | undefined {
    const due = this.#queue[0];
    if (!due) return undefined;
    due.left -= 1;
    if (due.left === 0) this.#queue.shift();
    return due.fault;
  }

  clear(): void {
    this.#queue.length = 0;
  }
}
