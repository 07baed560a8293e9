import { useSyncExternalStore } from 'react';
import { type Draft, EMPTY } from '../model/draft.ts';
import { forgetSent } from './sent-prompts.ts';

/** Drafts that are remembered; the oldest are forgotten first. */
const MAX_KEPT = 20;

const STORED = 'signalbox-draft ';

const kept = new Map<string, Draft>();
const listeners = new Set<() => void>();

/** What a session's box holds: there when a reader comes back, its words also when the page is loaded again. */
export function useDraft(session: string): Draft {
  return useSyncExternalStore(subscribe, () => draftOf(session));
}

/** Change what a session's box holds, whether or not it is on the screen by now. */
export function changeDraft(session: string, change: (draft: Draft) => Draft): void {
  const draft = change(draftOf(session));
  remember(session, draft);
  store(session, draft.text);
  for (const listener of listeners) listener();
}

/** Nothing of this person is left in the tab. */
export function forgetDrafts(): void {
  kept.clear();
  sessionStorage.clear();
  forgetSent();
}

function draftOf(session: string): Draft {
  const known = kept.get(session);
  if (known) return known;
  const text = sessionStorage.getItem(STORED + session);
  return text === null ? EMPTY : remember(session, { ...EMPTY, text });
}

function remember(session: string, draft: Draft): Draft {
  kept.delete(session);
  kept.set(session, draft);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return draft;
}

function store(session: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(STORED + session);
    else sessionStorage.setItem(STORED + session, text);
  } catch {
    // More than a browser stores for a tab: it is here for as long as the page is.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
