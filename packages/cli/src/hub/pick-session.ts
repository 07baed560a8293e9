import { hasAgent, SignalboxError } from '@signalbox/protocol';
import type { HubApi, Session } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { commandHere } from '../own-command.ts';
import { everyItem } from './every-item.ts';
import { pickById } from './pick-by-id.ts';

/** How much of an id is shown: enough to tell sessions apart, and little to type. */
const SHORT_ID = 8;

/** An id as people see and type it; one of a hub that is none may hold anything. */
export function shortId(id: string): string {
  return harmless(id.slice(0, SHORT_ID));
}

/** No session, or more than one, is meant by what was said. */
export class SessionUnclearError extends SignalboxError {
  constructor(problem: string) {
    super('SESSION_UNCLEAR', `${problem} ${commandHere('sessions')} lists them.`);
  }
}

/** All sessions of a hub, newest first. */
export function allSessions(api: HubApi): Promise<Session[]> {
  return everyItem((page) => api.sessions(page));
}

/** The session whose id begins so; when nothing is said one that asks, else the one whose agent is there and that changed last. Raises `SESSION_UNCLEAR`. */
export async function pickSession(api: HubApi, start: string | undefined): Promise<Session> {
  const sessions = await allSessions(api);
  if (start === undefined) {
    const [likeliest] = sessions.toSorted(
      (one, other) => rank(one) - rank(other) || other.updatedAt - one.updatedAt,
    );
    if (!likeliest)
      throw new SessionUnclearError(`There is no session yet; ${commandHere('run "…"')} starts one.`);
    return likeliest;
  }
  return pickById(sessions, start, 'session', SessionUnclearError);
}

/** The lower, the likelier it is that somebody wants to sit down there. */
function rank({ state }: Session): number {
  if (state === 'asking') return 0;
  return hasAgent(state) ? 1 : 2;
}
