import { useSyncExternalStore } from 'react';

const CHANGED = 'signalbox-route';

/** The board. */
export const HOME = '/';

/** All that agents ask. A part of the page for the hub, which knows the addresses of sessions. */
export const INBOX = '/#inbox';

/** The part of the home page that the address names, `#` included. */
export function useHashAtHome(): string {
  return useSyncExternalStore(subscribe, () => (location.pathname === HOME ? location.hash : ''));
}

/** What agents have spent, and the budgets. */
export const SPEND = '/#spend';

/** What the address leads to. */
export function useIsInbox(): boolean {
  return useHashAtHome() === '#inbox';
}

const SEARCH = '#search=';

/** The search for these words in all that was said; a part of the page, as the inbox is. */
export function searchPath(words: string): string {
  return `${HOME}${SEARCH}${encodeURIComponent(words)}`;
}

/** The words that the address has a search for. */
export function useSearchInAddress(): string | undefined {
  const hash = useHashAtHome();
  return hash.startsWith(SEARCH) ? decoded(hash.slice(SEARCH.length)) : undefined;
}

/** An address that somebody typed may have any signs in it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The session that the address names. */
export function useSessionInAddress(): string | undefined {
  const path = useSyncExternalStore(subscribe, () => location.pathname);
  const [, id] = /^\/sessions\/([^/]+)$/.exec(path) ?? [];
  return id === undefined ? undefined : decodeURIComponent(id);
}

export function pathOf(session: string): string {
  return `/sessions/${encodeURIComponent(session)}`;
}

/** The entry that the address names: a link to a message. */
export function useEntryInAddress(): number | undefined {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const [, seq] = /^#(\d{1,15})$/.exec(hash) ?? [];
  return seq === undefined ? undefined : Number(seq);
}

/** The part of an address that names an entry of a session's record. */
export function hashOf(seq: number): string {
  return `#${seq}`;
}

/** Go to another address of the console. */
export function go(path: string): void {
  history.pushState(null, '', path);
  window.dispatchEvent(new Event(CHANGED));
}

/** Go to another address in place of this one, to which nobody wants to come back. */
export function goInstead(path: string): void {
  history.replaceState(null, '', path);
  window.dispatchEvent(new Event(CHANGED));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  window.addEventListener('hashchange', listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener('popstate', listener);
    window.removeEventListener('hashchange', listener);
    window.removeEventListener(CHANGED, listener);
  };
}
