import type { WebSocket } from 'ws';

/** How often those at the other end are pinged; one that stays silent until the next ping is gone. */
const PING_MS = 15_000;

/** Notice when nobody is at the other end any more. */
export function startPings(webSocket: WebSocket): void {
  let isAlive = true;
  webSocket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    // While it is not read, its silence proves nothing.
    if (!isAlive && !webSocket.isPaused) return webSocket.terminate();
    isAlive = false;
    webSocket.ping();
  }, PING_MS).unref();
  webSocket.once('close', () => clearInterval(timer));
}
