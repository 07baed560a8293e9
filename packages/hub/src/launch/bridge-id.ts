import { createHash } from 'node:crypto';

const USABLE = /^(?!\.)[\w.-]{1,100}$/;

/** The name of the bridge that runs a session's agent: the session's, where that can be the name of a folder. */
export function bridgeIdOf(session: string): string {
  return USABLE.test(session) ? session : createHash('sha256').update(session).digest('hex');
}
