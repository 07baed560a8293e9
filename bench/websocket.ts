import { once } from 'node:events';
import { createServer } from 'node:http';
import { AcceptedTransport, WebSocketAcceptor, WebSocketTransport } from '@signalbox/transport';
import { WebSocket, WebSocketServer } from 'ws';
import { type Benchmark, faster, interleave, type Row } from './measure.ts';

const MESSAGES = 60_000;
const MESSAGE = JSON.stringify({
  type: 'stream_event',
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a few words ' } },
  parent_tool_use_id: null,
  session_id: '4e72334f-9bae-403e-838e-c3776b472055',
  uuid: '5a7892a4-22dd-4225-b766-f6f9447eeabd',
}).replace('a few words ', (words) => words.repeat(7).slice(0, 82));

function portOf(server: { address(): unknown }): number {
  const address = server.address();
  return typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : 0;
}

/** A send per message, nothing else. */
async function bare(): Promise<number> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${portOf(server)}`);
  await once(client, 'open');
  const done = new Promise<void>((resolve) => {
    let count = 0;
    for (const peer of server.clients) {
      peer.on('message', () => {
        count += 1;
        if (count === MESSAGES) resolve();
      });
    }
  });
  const start = performance.now();
  for (let sent = 0; sent < MESSAGES; sent += 1) {
    client.send(MESSAGE);
    if (client.bufferedAmount > 1024 * 1024) await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  const ms = performance.now() - start;
  client.terminate();
  server.close();
  return ms;
}

async function ours(lossless: boolean): Promise<number> {
  const http = createServer();
  const acceptor = new WebSocketAcceptor();
  const server = new AcceptedTransport({ lossless });
  http.on('upgrade', (request, socket, head) => acceptor.accept(request, socket, head, server));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const client = new WebSocketTransport(new URL(`ws://127.0.0.1:${portOf(http)}/`), { lossless });
  await client.connect();
  const start = performance.now();
  const received = (async () => {
    let count = 0;
    for await (const line of server.receive()) {
      count += line.byteLength > 0 ? 1 : 0;
      if (count === MESSAGES) break;
    }
  })();
  for (let sent = 0; sent < MESSAGES; sent += 1) await client.send(MESSAGE);
  await received;
  const ms = performance.now() - start;
  await client.close();
  http.close();
  return ms;
}

async function run(): Promise<Row[]> {
  const {
    bare: bareMs = 0,
    plain = 0,
    lossless = 0,
  } = await interleave(7, {
    bare,
    plain: () => ours(false),
    lossless: () => ours(true),
  });
  const what = `${MESSAGES.toLocaleString('en')} messages of ${MESSAGE.length} bytes, one to one`;
  return [
    faster(`${what}: plain lines`, bareMs, plain, 1.5),
    faster(`${what}: lossless link`, bareMs, lossless, 1.5),
  ];
}

export const websocket: Benchmark = {
  name: 'websocket',
  title: 'WebSocket transport, against a bare `ws` send per message',
  run,
};
