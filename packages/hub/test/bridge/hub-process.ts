import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { AcceptedTransport, type LinkPosition, WebSocketAcceptor } from '@signalbox/transport';

// A hub for one session that may be killed at any time: a line and its position are in the file before it is
// acknowledged. SIGUSR2 cuts the connections.
const [file = '', port = ''] = process.argv.slice(2);

function received(): LinkPosition | undefined {
  if (!existsSync(file)) return undefined;
  const content = readFileSync(file);
  const whole = content.lastIndexOf('\n') + 1;
  if (whole < content.length) truncateSync(file, whole);
  const last = content.subarray(0, whole).toString().trimEnd().split('\n').at(-1);
  return last ? JSON.parse(last).position : undefined;
}

const acceptor = new WebSocketAcceptor();
const sockets = new Set<Socket>();

function open(): AcceptedTransport {
  const position = received();
  const transport = new AcceptedTransport({
    lossless: true,
    acknowledge: 'manual',
    onGap: (gap) => appendFileSync(file, `${JSON.stringify({ gap })}\n`),
    ...(position ? { received: position } : {}),
  });
  void keep(transport).catch(() => {});
  return transport;
}

async function keep(transport: AcceptedTransport): Promise<void> {
  for await (const line of transport.receive()) {
    const { position } = transport;
    if (!position) continue;
    appendFileSync(file, `${JSON.stringify({ line: line.text(), position })}\n`);
    transport.acknowledge(position);
  }
}

let transport = open();
const http = createServer();
http.on('connection', (socket) => sockets.add(socket));
http.on('upgrade', (request, socket, head) => {
  if (transport.state === 'closed') transport = open();
  acceptor.accept(request, socket, head, transport);
});
process.on('SIGUSR2', () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
http.listen(Number(port), '127.0.0.1', () => process.stdout.write('up\n'));
