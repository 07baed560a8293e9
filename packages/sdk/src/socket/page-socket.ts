import type { SocketConstructor } from './socket.ts';

declare const WebSocket: SocketConstructor;

/** The `WebSocket` to connect with where the options name none: the platform's own. */
export function platformSocket(): SocketConstructor {
  return WebSocket;
}
