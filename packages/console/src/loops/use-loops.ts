import { useSyncExternalStore } from 'react';
import type { Loop } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';

/** The loops of the hub, newest first. */
export function useLoops(): readonly Loop[] {
  const { loops } = useHub();
  return useSyncExternalStore(loops.subscribe, loops.view);
}

/** The loop with this id; undefined for none, and for one that was forgotten. */
export function useLoop(id: string | undefined): Loop | undefined {
  return useLoops().find((loop) => loop.id === id);
}
