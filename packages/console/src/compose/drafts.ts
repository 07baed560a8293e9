import { useSyncExternalStore } from 'react';
import { ownKey, readOwn, writeOwn } from '../kept/own-storage.ts';
import { type Draft, EMPTY } from '../model/draft.ts';

/** Drafts that are remembered; the oldest are forgotten first. */
const MAX_KEPT = 20;

const STORED = 'draft ';

const kept = new Map<string, Draft>();
const listeners = new Set<() => void>();

/**
 * What a session's box holds: there when a reader comes back, its words also when the page is loaded again, the tab crashed or
 * another tab shows the session. Two tabs have one draft, not two.
 */
export function useDraft(session: string): Draft {
  return useSyncExternalStore(subscribe, () => draftOf(session));
}

/** Change what a session's box holds, whether or not it is on the screen by now. */
export function changeDraft(session: string, change: (draft: Draft) => Draft): void {
  const draft = change(draftOf(session));
  remember(session, draft);
  // More than a browser has room for is here for as long as the page is.
  writeOwn(STORED + session, draft.text);
  for (const listener of listeners) listener();
}

/** Nothing of this person is left in the page; what the browser keeps goes when it is signed out. */
export function forgetDrafts(): void {
  kept.clear();
}

window.addEventListener('storage', ({ key, newValue }) => {
  const prefix = ownKey(STORED);
  if (key === null || prefix === undefined || !key.startsWith(prefix)) return;
  const session = key.slice(prefix.length);
  remember(session, { ...draftOf(session), text: newValue ?? '' });
  for (const listener of listeners) listener();
});

function draftOf(session: string): Draft {
  const known = kept.get(session);
  if (known) return known;
  const text = readOwn(STORED + session);
  return text === null ? EMPTY : remember(session, { ...EMPTY, text });
}

function remember(session: string, draft: Draft): Draft {
  kept.delete(session);
  kept.set(session, draft);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return draft;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
