import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A web server of a test's own, on loopback. */
export interface WebSite {
  url: string;
  port: number;
  /** What was asked for, in order. */
  asked: IncomingMessage[];
}

/** It is closed after the test. */
export async function openSite(answer: RequestListener): Promise<WebSite> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    return answer(request, response);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, asked };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address: AddressInfo = Object(server.address());
  return address.port;
}
