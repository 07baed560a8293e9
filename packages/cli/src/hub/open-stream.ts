import { HubSocketAgent } from '@signalbox/hub/bridge';
import { HubStream, type HubStreamState } from 'signalbox/hub';
import { WebSocket } from 'ws';
import { addressOf, type FoundHub } from './find-hub.ts';

/** What happens at a hub, live. */
export function openStream(hub: FoundHub, onState: (state: HubStreamState) => void): HubStream {
  return new HubStream({ ...addressOf(hub), ...socketsOf(hub), onState });
}

/** How to connect to a hub, where the platform's own sockets do not know the way. */
export function socketsOf({ home }: FoundHub) {
  if (home === undefined) return {};
  const agent = new HubSocketAgent(home);
  return {
    WebSocket: class extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { agent });
      }
    },
  };
}
