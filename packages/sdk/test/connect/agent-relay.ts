import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  AcceptedTransport,
  type AcceptedTransportOptions,
  type ChildTransport,
  spawnTransport,
  WebSocketAcceptor,
} from '@signalbox/transport';
import { onTestFinished } from 'vitest';
import type { FakeAgent } from '../fake-agent.ts';

const INPUT = ['--input-format', 'stream-json', '--output-format', 'stream-json'];

/** A peer that owns an agent, and relays its lines to whoever dials in. */
export interface AgentRelay {
  url: string;
  requests: IncomingMessage[];
  transport: AcceptedTransport;
  agent: ChildTransport;
  /** Break the connection there is. */
  drop: () => void;
}

export async function relay(fake: FakeAgent, options: AcceptedTransportOptions = {}): Promise<AgentRelay> {
  const agent = await spawnTransport({
    command: process.execPath,
    args: [fake.path, ...INPUT],
    cwd: fake.folder,
    env: { PATH: process.env['PATH'], HOME: fake.folder },
  });
  const transport = new AcceptedTransport(options);
  const acceptor = new WebSocketAcceptor();
  const sockets = new Set<Duplex>();
  const requests: IncomingMessage[] = [];
  const server = createServer();
  server.on('upgrade', (request, socket, head) => {
    requests.push(request);
    sockets.add(socket);
    acceptor.accept(request, socket, head, transport);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pump = async (from: ChildTransport | AcceptedTransport, to: ChildTransport | AcceptedTransport) => {
    for await (const line of from.receive()) await to.send(line.bytes());
  };
  void pump(agent, transport).catch(() => {});
  void pump(transport, agent).catch(() => {});
  onTestFinished(async () => {
    await agent.close();
    await transport.close().catch(() => {});
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return { url: `ws://127.0.0.1:${port}`, requests, transport, agent, drop };
}
