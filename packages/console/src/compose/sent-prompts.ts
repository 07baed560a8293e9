import { isJsonObject, parseJson, textAt } from '@signalbox/protocol';
import { readOwn, writeOwn } from '../kept/own-storage.ts';

/** What was sent from this browser, over all sessions: for the way back by one key. */
const STORED = 'sent';

const MAX_KEPT = 100;

/** Nobody looks for a longer one by its words; it is in its session. */
const MAX_LENGTH = 4000;

/** A prompt that was sent from this browser. */
export interface SentPrompt {
  session: string;
  text: string;
}

/** The newest first. */
export function sentPrompts(): SentPrompt[] {
  try {
    const kept: unknown = parseJson(readOwn(STORED) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept
      .filter(isJsonObject)
      .map((one) => ({ session: textAt(one, 'session'), text: textAt(one, 'text') }));
  } catch {
    // Somebody else has written there, or the browser keeps nothing.
    return [];
  }
}

export function noteSent(session: string, text: string): void {
  if (text.trim() === '' || text.length > MAX_LENGTH) return;
  const others = sentPrompts().filter((one) => one.text !== text);
  // A browser that is full forgets what was sent; the record does not.
  writeOwn(STORED, JSON.stringify([{ session, text }, ...others].slice(0, MAX_KEPT)));
}
