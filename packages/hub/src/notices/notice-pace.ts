import { LIMITS } from '@signalbox/protocol';
import type { Delivery, DeliveryChange } from '../store/notice.ts';

const WINDOW_MS = 60 * 60_000;

const NO_MORE =
  'These were many: for up to an hour no more are sent of this session, unless somebody looks, answers or prompts.';

/** How many notices of one session one target was sent. */
interface Sent {
  since: number;
  count: number;
  /** The delivery that says that no more will come. */
  last?: string;
}

/**
 * Holds an agent that nobody minds to so many notices an hour: one that asks and ends in a circle must not ring all night. A question
 * waits for the rest of the hour, so that none is missed.
 */
export class NoticePace {
  /** By session, and in it by target. */
  readonly #sent = new Map<string, Map<string, Sent>>();

  /** Somebody minds a session: all counts anew. */
  attended(session: string): void {
    this.#sent.delete(session);
  }

  /** What leaves of a delivery that is due; of one that has to wait, or is not sent any more, what is kept of that. */
  take(delivery: Delivery, now: number): { leaves: Delivery } | { change: DeliveryChange } {
    const { id, notice, target, state, attempts } = delivery;
    // What is on a screen has to go from there, and a second attempt is no second notice.
    if (notice.session === null || state !== 'waiting') return { leaves: delivery };
    const sent = this.#sentTo(notice.session, target, now);
    if (attempts > 0) return { leaves: sent.last === id ? withLastWords(delivery) : delivery };
    if (sent.count >= LIMITS.noticesOfSession.most) {
      const outcome = `There were ${sent.count} within an hour, and nobody minded`;
      if (notice.kind !== 'asks') return { change: { state: 'quiet', outcome, nextAt: null } };
      return { change: { state: 'waiting', outcome, nextAt: sent.since + WINDOW_MS } };
    }
    sent.count += 1;
    if (sent.count < LIMITS.noticesOfSession.most) return { leaves: delivery };
    sent.last = id;
    return { leaves: withLastWords(delivery) };
  }

  #sentTo(session: string, target: string, now: number): Sent {
    const targets = this.#sent.get(session) ?? new Map<string, Sent>();
    if (!this.#sent.has(session)) this.#forgetOld(now);
    this.#sent.set(session, targets);
    const known = targets.get(target);
    // A clock that was set back must not keep anybody quiet for longer.
    const isOver = !known || now >= known.since + WINDOW_MS || now < known.since;
    const sent = isOver ? { since: now, count: 0 } : known;
    targets.set(target, sent);
    return sent;
  }

  #forgetOld(now: number): void {
    for (const [session, targets] of this.#sent)
      if ([...targets.values()].every(({ since }) => now >= since + WINDOW_MS)) this.#sent.delete(session);
  }
}

function withLastWords(delivery: Delivery): Delivery {
  const { notice } = delivery;
  return { ...delivery, notice: { ...notice, body: `${notice.body} — ${NO_MORE}` } };
}
