import { SCRIPTED_AGENT, type Session } from '@signalbox/protocol/hub';

/** Whether nobody is asked and nothing is paid: the built-in model plays a script. */
export function isScripted({ agent }: Pick<Session, 'agent'>): boolean {
  return agent === SCRIPTED_AGENT;
}

/** What answers in a session; empty while nobody knows. */
export function modelWords({ agent, model }: Pick<Session, 'agent' | 'model'>): string {
  return isScripted({ agent }) ? SCRIPTED_AGENT : (model ?? '');
}
