import { LIMITS } from '@signalbox/protocol';
import { Statement, type Steps } from '../statement.ts';

/** A target that was full is counted again after this long at the latest: another process may have made room. */
const FULL_MS = 1000;

const WAITING = new Statement<{ count: number }>(
  "SELECT count(*) AS count FROM notice_delivery WHERE target = ? AND state IN ('waiting', 'closing')",
);

/** How many more notices may wait for each target. It counts them only when the room that it last found is used up. */
export class WaitingRoom {
  /** By target; what left the queue since it was counted is not in it. */
  readonly #room = new Map<string, number>();
  /** When a target was found full. */
  readonly #full = new Map<string, number>();

  /** True if one more may wait for the target; it then counts as waiting. */
  *take(target: string): Steps<boolean> {
    const room = this.#room.get(target) ?? (yield* this.#count(target));
    if (room <= 0) {
      this.#room.delete(target);
      return false;
    }
    if (room === 1) this.#room.delete(target);
    else this.#room.set(target, room - 1);
    return true;
  }

  /** Some may have left the queues. */
  noteLeft(): void {
    this.#full.clear();
  }

  *#count(target: string): Steps<number> {
    const now = Date.now();
    const fullAt = this.#full.get(target) ?? Number.NEGATIVE_INFINITY;
    if (now >= fullAt && now - fullAt < FULL_MS) return 0;
    const room = LIMITS.noticesWaiting.most - ((yield* WAITING.get([target]))?.count ?? 0);
    if (room > 0) this.#full.delete(target);
    else this.#full.set(target, now);
    return room;
  }
}
