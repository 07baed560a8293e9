import { createContext, use, useSyncExternalStore } from 'react';
import type { ConsoleHub, HubView } from '../live/console-hub.ts';

/** The hub that served the page. */
export const HubContext = createContext<ConsoleHub | undefined>(undefined);

export function useHub(): ConsoleHub {
  const hub = use(HubContext);
  if (!hub) throw new TypeError('There is no hub around this view.');
  return hub;
}

export function useHubView(): HubView {
  const hub = useHub();
  return useSyncExternalStore(hub.subscribe, hub.view);
}
