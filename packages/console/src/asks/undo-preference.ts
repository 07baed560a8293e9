import { useSyncExternalStore } from 'react';
import { readOwn, writeOwn } from '../kept/own-storage.ts';

/** Whether answers of this browser wait for a moment before they are sent, so that they can be taken back. */
const STORED = 'undo-answers';

const listeners = new Set<() => void>();

export function useUndoPreference(): [isWanted: boolean, want: (isWanted: boolean) => void] {
  return [useSyncExternalStore(subscribe, isUndoWanted), want];
}

export function isUndoWanted(): boolean {
  return readOwn(STORED) === 'yes';
}

function want(isWanted: boolean): void {
  writeOwn(STORED, isWanted ? 'yes' : '');
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
