import type { WebSocket } from 'ws';

/** How much may wait for a peer that is still answered; one that does not read would be kept every answer. */
const MAX_WAITING_BYTES = 64 * 1024;

/** Answer pings while the peer reads: its socket must be made with `autoPong: false`. */
export function answerPings(socket: WebSocket): void {
  socket.on('ping', (data: Buffer) => {
    if (socket.readyState === socket.OPEN && socket.bufferedAmount < MAX_WAITING_BYTES) socket.pong(data);
  });
}
