import { SCRIPTED_AGENT } from '@signalbox/protocol/hub';
import type { Session } from 'signalbox/hub';

/** Whether the built-in model plays a script in a session: nobody pays for it, and no sum is shown. */
export function isScripted({ agent }: Pick<Session, 'agent'>): boolean {
  return agent === SCRIPTED_AGENT;
}
