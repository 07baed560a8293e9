import { SignalboxError } from '@signalbox/protocol';
import type { HubApi, PermissionRequest, Session } from 'signalbox/hub';
import { everyItem } from '../hub/every-item.ts';
import { allSessions } from '../hub/pick-session.ts';
import { commandHere } from '../own-command.ts';

/** The shortest start of an id that is shown. */
const LEAST_ID = 6;

/** A request that waits for somebody, and the session whose agent asks. */
export interface WaitingRequest {
  /** As much of its id as tells it from the others that wait. */
  id: string;
  permission: PermissionRequest;
  session: Session;
}

/** No request that waits, or more than one, is meant by what was said. */
export class RequestUnclearError extends SignalboxError {
  constructor(problem: string) {
    super('REQUEST_UNCLEAR', `${problem} ${commandHere('answer --list')} shows what waits.`);
  }
}

/** What agents ask and nobody has answered, oldest first. */
export async function waitingRequests(api: HubApi): Promise<WaitingRequest[]> {
  const permissions = await everyItem((page) => api.permissions(page));
  const sessions = new Map((await allSessions(api)).map((session) => [session.id, session]));
  const ids = permissions.map(({ requestId }) => requestId);
  return permissions.flatMap((permission) => {
    const session = sessions.get(permission.session);
    // One that was removed in between asks no more.
    return session ? [{ id: shortest(permission.requestId, ids), permission, session }] : [];
  });
}

/** The request whose id begins so. Raises `REQUEST_UNCLEAR`. */
export function requestNamed(waiting: readonly WaitingRequest[], start: string): WaitingRequest {
  const exact = waiting.filter(({ permission }) => permission.requestId === start);
  const meant =
    exact.length > 0 ? exact : waiting.filter(({ permission }) => permission.requestId.startsWith(start));
  const [first, ...others] = meant;
  if (!first) throw new RequestUnclearError(`Nothing that waits has an id that begins with ${start}.`);
  if (others.length > 0)
    throw new RequestUnclearError(`${others.length + 1} requests have an id that begins with ${start}.`);
  return first;
}

function shortest(id: string, all: readonly string[]): string {
  for (let length = LEAST_ID; length < id.length; length += 1) {
    const start = id.slice(0, length);
    if (all.filter((other) => other.startsWith(start)).length === 1) return start;
  }
  return id;
}
