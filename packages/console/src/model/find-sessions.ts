import { sessionTitle } from '@signalbox/protocol';
import type { Session } from '@signalbox/protocol/hub';
import { t } from '../words/t.ts';
import { plainText } from './plain-text.ts';

/** The sessions in whose title, folder, last prompt, agent or state each of these words occurs, in the order that they have. */
export function findSessions(sessions: readonly Session[], words: string): readonly Session[] {
  const wanted = plainText(words).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return sessions;
  return sessions.filter((session) => {
    const text = searchText(session);
    return wanted.every((word) => text.includes(word));
  });
}

/** Whether a search found a session by what somebody said to it: its row shows nothing else of that. */
export function isFoundByPrompt(session: Session, words: string): boolean {
  if (session.lastPrompt === null || words.trim() === '') return false;
  return findSessions([{ ...session, lastPrompt: null }], words).length === 0;
}

const texts = new WeakMap<Session, string>();

/** Each change makes another object of a session: what was made of one holds for good. */
function searchText(session: Session): string {
  const known = texts.get(session);
  if (known !== undefined) return known;
  const { folder, lastPrompt, agent } = session;
  const parts = [sessionTitle(session), folder, lastPrompt, agent, t.states.session(session).word];
  const text = plainText(parts.filter((part) => part !== null).join('\n'));
  texts.set(session, text);
  return text;
}
