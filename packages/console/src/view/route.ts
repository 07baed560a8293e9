import { useSyncExternalStore } from 'react';

const CHANGED = 'signalbox-route';

/** The session that the address names. */
export function useSessionInAddress(): string | undefined {
  const path = useSyncExternalStore(subscribe, () => location.pathname);
  const [, id] = /^\/sessions\/([^/]+)$/.exec(path) ?? [];
  return id === undefined ? undefined : decodeURIComponent(id);
}

export function pathOf(session: string): string {
  return `/sessions/${encodeURIComponent(session)}`;
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
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener('popstate', listener);
    window.removeEventListener(CHANGED, listener);
  };
}
