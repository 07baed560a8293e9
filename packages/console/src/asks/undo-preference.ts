import { useSyncExternalStore } from 'react';

/** Whether answers of this browser wait for a moment before they are sent, so that they can be taken back. */
const STORED = 'signalbox-undo-answers';

const listeners = new Set<() => void>();

export function useUndoPreference(): [isWanted: boolean, want: (isWanted: boolean) => void] {
  return [useSyncExternalStore(subscribe, isUndoWanted), want];
}

export function isUndoWanted(): boolean {
  return localStorage.getItem(STORED) === 'yes';
}

function want(isWanted: boolean): void {
  if (isWanted) localStorage.setItem(STORED, 'yes');
  else localStorage.removeItem(STORED);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
