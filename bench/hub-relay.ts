// The least that shows an agent's messages to viewers: a send for each of them, and nothing is kept.
import { once } from 'node:events';
import { type WebSocket, WebSocketServer } from 'ws';
import { serve } from './hub-helper.ts';

serve({
  listen: async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    const viewers = new Map<string, Set<WebSocket>>();
    server.on('connection', (socket, request) => {
      const [, role = '', session = ''] = request.url?.split('/') ?? [];
      const watching = viewers.get(session) ?? new Set();
      viewers.set(session, watching);
      if (role === 'view') {
        watching.add(socket);
        socket.on('close', () => watching.delete(socket));
      } else {
        socket.on('message', (data, isBinary) => {
          for (const viewer of watching) viewer.send(data, { binary: isBinary });
        });
      }
    });
    await once(server, 'listening');
    const address = server.address();
    return `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  },
});
