import { messageOf, SignalboxError } from '@signalbox/protocol';
import type { Delivery, DeliveryChange } from '../store/notice.ts';
import type { ServerAnswer } from './post.ts';

/** How long notices are tried. */
export interface NoticePatience {
  /** How long a server may take to answer. */
  timeoutMs: number;
  /** The first pause; each is twice the one before. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** After this long it is given up. */
  endMs: number;
}

export const NOTICE_PATIENCE: NoticePatience = {
  timeoutMs: 15_000,
  firstPauseMs: 10_000,
  longestPauseMs: 30 * 60_000,
  endMs: 24 * 60 * 60_000,
};

/** What came of an attempt: it arrived, is worth another one, or never will; `gone` when the target itself is no more. */
export type AttemptOutcome =
  | { how: 'arrived'; words: string }
  | { how: 'passing'; words: string; pauseMs?: number | undefined }
  | { how: 'refused'; words: string }
  | { how: 'gone'; words: string };

/** Answers after which it is worth trying again. */
const PASSING = new Set([408, 425, 429]);

export function outcomeOf({ status, retryAfterMs }: ServerAnswer, type: string): AttemptOutcome {
  const words = `HTTP ${status}`;
  if (status >= 200 && status < 300) return { how: 'arrived', words };
  if (status >= 300 && status < 400)
    return {
      how: 'refused',
      words: `${words}: redirects are not followed. Give the address that it leads to`,
    };
  if (status === 410 || (status === 404 && type === 'push')) return { how: 'gone', words };
  if (status >= 500 || PASSING.has(status)) return { how: 'passing', words, pauseMs: retryAfterMs };
  return { how: 'refused', words };
}

/** Of an attempt that came to no answer. */
export function outcomeOfError(error: unknown): AttemptOutcome {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'NOTICE_ADDRESS_REFUSED') return { how: 'refused', words: messageOf(error) };
  // What the system says may quote an address; its code does not.
  const words = error instanceof SignalboxError ? error.message : code || 'The connection failed';
  return { how: 'passing', words };
}

/** What is kept of it. */
export function changeAfter(
  { state, attempts, since }: Pick<Delivery, 'state' | 'attempts' | 'since'>,
  outcome: AttemptOutcome,
  { firstPauseMs, longestPauseMs, endMs }: NoticePatience,
  now: number,
): DeliveryChange {
  const { words } = outcome;
  const isClosing = state === 'closing';
  if (outcome.how === 'arrived')
    return { state: isClosing ? 'closed' : 'sent', outcome: words, nextAt: null };
  const failed = isClosing ? 'closed' : 'failed';
  const prefix = isClosing ? 'Not withdrawn: ' : '';
  if (outcome.how !== 'passing') return { state: failed, outcome: prefix + words, nextAt: null };
  const pauseMs = Math.min(longestPauseMs, Math.max(outcome.pauseMs ?? 0, firstPauseMs * 2 ** attempts));
  if (now + pauseMs > since + endMs) {
    const said = `Given up after ${attempts + 1} attempts: ${words}`;
    return { state: failed, outcome: prefix + said, nextAt: null };
  }
  return { state, outcome: words, nextAt: now + pauseMs };
}
