// A server in a thread of its own, which goes on while the thread of the test is busy: it tells of every ping at once,
// and answers it a little later.
import { parentPort } from 'node:worker_threads';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false }, () => {
  const address = server.address();
  parentPort?.postMessage(typeof address === 'object' ? address?.port : undefined, []);
});
server.on('connection', (socket) => {
  socket.on('ping', () => {
    parentPort?.postMessage('ping', []);
    setTimeout(() => socket.pong(), 20);
  });
});
