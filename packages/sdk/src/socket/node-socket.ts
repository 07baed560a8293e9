import { WebSocket } from 'ws';
import type { SocketConstructor } from './socket.ts';

/** The same on every Node: the oldest that we support has no `WebSocket` of its own. */
export function platformSocket(): SocketConstructor {
  return WebSocket;
}
