import type { SessionState } from '@signalbox/protocol/hub';
import type { LiveSessions } from '../sessions/live-sessions.ts';

/**
 * Waits for a session to get into one of these states, from the moment of the call. Settles with false when it takes
 * too long.
 */
export function reachedState(
  sessions: LiveSessions,
  session: string,
  states: readonly SessionState[],
  patienceMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isReached: boolean): void => {
      clearTimeout(timer);
      stop();
      resolve(isReached);
    };
    const timer = setTimeout(() => end(false), patienceMs);
    const stop = sessions.onSession(({ id, state }) => {
      if (id === session && states.includes(state)) end(true);
    });
  });
}
