import { agentTrusting } from '@signalbox/hub/bridge';
import { HubStream, type HubStreamState } from 'signalbox/hub';
import { WebSocket } from 'ws';
import { addressOf, type FoundHub } from './find-hub.ts';

/** What happens at a hub, live. */
export function openStream(hub: FoundHub, onState: (state: HubStreamState) => void): HubStream {
  const { certificate } = hub;
  return new HubStream({
    ...addressOf(hub),
    WebSocket: certificate === undefined ? WebSocket : socketTrusting(certificate),
    onState,
  });
}

function socketTrusting(certificate: string) {
  const agent = agentTrusting(certificate);
  return class extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { agent });
    }
  };
}
