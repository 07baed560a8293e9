import type { WebSocket } from 'ws';

/** How much may wait for a peer that is still answered; one that does not read would be kept every answer. */
const MAX_WAITING_BYTES = 64 * 1024;

/**
 * Answer pings while the peer reads: its socket must be made with `autoPong: false`. Of those that arrived together the last is
 * answered, as RFC 6455 allows: an answer to each would be a write to each.
 */
export function answerPings(socket: WebSocket): void {
  let last: Buffer | undefined;
  const answer = (): void => {
    const data = last;
    last = undefined;
    if (socket.readyState === socket.OPEN && socket.bufferedAmount < MAX_WAITING_BYTES) socket.pong(data);
  };
  socket.on('ping', (data: Buffer) => {
    if (last === undefined) setImmediate(answer);
    last = data;
  });
}
