import type { Agent } from 'node:http';
import { HubStream, type HubStreamState } from 'signalbox/hub';
import { WebSocket } from 'ws';
import { addressOf, type FoundHub } from './find-hub.ts';

/** What happens at a hub, live. */
export function openStream(hub: FoundHub, onState: (state: HubStreamState) => void): HubStream {
  const { agent } = hub;
  return new HubStream({
    ...addressOf(hub),
    ...(agent ? { WebSocket: socketBy(agent) } : {}),
    onState,
  });
}

/** Connections over those of an agent. */
export function socketBy(agent: Agent) {
  return class extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { agent });
    }
  };
}
