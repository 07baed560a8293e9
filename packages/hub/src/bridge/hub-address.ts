import type { Agent } from 'node:http';
import { isUrl } from '@signalbox/protocol';
import { BridgeOptionsError } from './bridge-errors.ts';
import { HubSocketAgent } from './hub-socket.ts';
import { SOCKET_ORIGIN } from './hub-socket-path.ts';
import { readPeers } from './peers.ts';

/** Where the hub is, and what it wants to see. */
export interface HubAddress {
  url: URL;
  /** Makes the connections, where the URL alone does not say with whom. */
  agent?: Agent;
  /** Asked for with every attempt: a token may have been replaced. */
  token: () => string | undefined;
}

const SOCKET_PROTOCOLS: Record<string, string> = {
  'http:': 'ws:',
  'https:': 'wss:',
  'ws:': 'ws:',
  'wss:': 'wss:',
};

/** Where the bridge of a session dials. */
export function agentUrl(hub: string, session: string): URL {
  const base = isUrl(hub) ? new URL(hub) : undefined;
  const protocol = SOCKET_PROTOCOLS[base?.protocol ?? ''];
  if (!base || protocol === undefined)
    throw new BridgeOptionsError(`"${hub}" is not where a hub can be. Write --hub ws://host:port.`);
  const path = `${base.pathname.replace(/\/+$/, '')}/agent/${encodeURIComponent(session)}`;
  return new URL(`${protocol}//${base.host}${path}`);
}

/** The way of a session's bridge to the hub of this home, wherever that is, or to another node while it is gone. */
export function localAddress(home: string, session: string): Pick<Required<HubAddress>, 'url' | 'agent'> {
  return { url: agentUrl(SOCKET_ORIGIN, session), agent: new HubSocketAgent(home, readPeers) };
}
