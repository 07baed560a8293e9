import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/**
 * Ping now and then; a connection on which nothing at all arrives until the next ping is dead, whatever TCP says.
 * A pong alone would not do: behind a long frame on a slow line it comes too late.
 */
export function startHeartbeat(socket: WebSocket, stream: Socket, intervalMs: number): () => void {
  let readAtPing = -1;
  const beat = (): void => {
    // While our own reader is behind, what arrives waits unread: silence proves nothing.
    if (socket.isPaused) {
      readAtPing = -1;
    } else if (stream.bytesRead === readAtPing) {
      socket.terminate();
    } else {
      readAtPing = stream.bytesRead;
      socket.ping();
    }
  };
  // Nor must the peer, whose pings are not read either, take us for dead.
  const showLife = (): void => {
    if (socket.isPaused) socket.pong();
  };
  const timers = [
    // A process that was busy for long must read what has arrived meanwhile before it judges.
    setInterval(() => setImmediate(beat), intervalMs).unref(),
    setInterval(showLife, intervalMs / 2).unref(),
  ];
  return () => timers.forEach(clearInterval);
}
