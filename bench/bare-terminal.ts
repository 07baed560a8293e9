// The least that shows a terminal to somebody over a network: a WebSocket in front of a terminal, and nothing between them. And a
// WebSocket that gives back what it is sent: two hops.
import { once } from 'node:events';
import { spawn } from '@lydell/node-pty';
import { WebSocketServer } from 'ws';
import { serve } from './hub-helper.ts';

async function listen(): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket, { url }) => {
    if (url === '/echo') {
      socket.on('message', (data) => socket.send(data));
      return;
    }
    const pty = spawn('/bin/cat', [], { encoding: null });
    pty.onData((data) => socket.send(data));
    socket.on('message', (data) => pty.write(Buffer.isBuffer(data) ? data.toString() : ''));
    socket.on('close', () => pty.kill());
  });
  const address = server.address();
  if (typeof address === 'string' || !address) throw new Error('no port');
  return `ws://127.0.0.1:${address.port}`;
}

serve({ listen });
