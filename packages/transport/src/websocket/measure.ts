import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Reading } from '../reading-budget.ts';

/** Count what arrives on a WebSocket and is not a whole message yet. */
export function measure(socket: WebSocket, stream: Duplex, reading: Reading): void {
  const onControl = (data: Buffer): void => reading.addControl(data.length);
  stream.on('data', (chunk: Buffer) => reading.add(chunk.length));
  socket
    .on('message', () => reading.complete())
    .on('ping', onControl)
    .on('pong', onControl);
  socket.once('close', () => reading.end());
}
