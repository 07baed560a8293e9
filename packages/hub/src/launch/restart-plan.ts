import { exitWords } from '@signalbox/protocol';
import type { LaunchSpec, SessionExit, SessionRestart } from '@signalbox/protocol/hub';

/** How often in a row an agent is started again unless it is said. */
const MOST_RESTARTS = 5;

/** The wait before the first start in a row; each next one is twice as long. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** An agent that ran for so long has started well: what comes then is no longer in a row. */
const STEADY_MS = 600_000;

/** How many characters of an agent's last words are kept as the reason. */
const WHY_LENGTH = 500;

/** What a session says of its restarts when its agent is launched; null where none were asked for. */
export function restartOf({ restart, restartLimit = MOST_RESTARTS }: LaunchSpec): SessionRestart | null {
  if (restart === undefined || restart === 'never') return null;
  return {
    policy: restart,
    most: restartLimit,
    count: 0,
    state: 'watching',
    why: null,
    nextAt: null,
    startedAt: Date.now(),
  };
}

/** What is to be done about an agent that has ended. */
export function restartAfter(
  known: SessionRestart,
  exit: SessionExit | null,
  { isWanted, now }: { isWanted: boolean; now: number },
): SessionRestart {
  const hasFailed = exit?.code !== 0;
  const why = whyOf(exit);
  // Somebody ended it, or it ended well where only failures are mended.
  if (isWanted || (known.policy === 'on-failure' && !hasFailed))
    return { ...known, state: 'over', why, nextAt: null };
  const isSteady = known.startedAt !== null && now - known.startedAt >= STEADY_MS;
  const count = (isSteady ? 0 : known.count) + 1;
  if (count > known.most) return { ...known, state: 'given-up', why, nextAt: null };
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - 1));
  return { ...known, state: 'waiting', count, why, nextAt: now + wait };
}

function whyOf(exit: SessionExit | null): string {
  const words = exitWords(exit ?? { code: null, signal: null });
  const last = exit?.stderr.trim().slice(-WHY_LENGTH) ?? '';
  return last === '' ? `${words}.` : `${words}: ${last}`;
}
