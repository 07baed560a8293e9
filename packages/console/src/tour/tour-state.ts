import { useSyncExternalStore } from 'react';
import { readOwn, writeOwn } from '../kept/own-storage.ts';
import { TOUR_STEPS, type TourState } from '../model/tour.ts';

const STORED = 'tour';
const STATES: readonly string[] = [...TOUR_STEPS, 'over'];

const listeners = new Set<() => void>();
let current: TourState | undefined;

/** Where this person is in the tour; remembered by their browser. */
export function useTour(): TourState {
  return useSyncExternalStore(subscribe, tour);
}

export function setTour(state: TourState): void {
  current = state;
  // Where there is no room, it is offered again.
  writeOwn(STORED, state);
  for (const listener of listeners) listener();
}

function tour(): TourState {
  current ??= stored();
  return current;
}

function stored(): TourState {
  const state = readOwn(STORED) ?? '';
  return isState(state) ? state : 'offered';
}

function isState(state: string): state is TourState {
  return STATES.includes(state);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
