import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { until } from './test-parts.ts';

/** What a target of notices was sent. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** How a target answers: a status, with headers, or never. */
export type ReceiverAnswer = number | { status: number; headers: Record<string, string> } | 'never';

/** A server that notices are sent to: it remembers all of them, and answers as the test says. */
export class NoticeReceiver {
  readonly received: Received[] = [];
  url = '';
  /** The answers in their order; after the last one, that one for ever. */
  answers: ReceiverAnswer[] = [200];

  static async listen(tls?: { key: string; cert: string }): Promise<NoticeReceiver> {
    const receiver = new NoticeReceiver();
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('error', () => {});
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        receiver.received.push({ method, path, headers, body: Buffer.concat(chunks) });
        const answer = receiver.answers.length > 1 ? receiver.answers.shift() : receiver.answers[0];
        if (answer === 'never' || answer === undefined) return;
        const { status, headers: said } =
          typeof answer === 'number' ? { status: answer, headers: {} } : answer;
        response.writeHead(status, said).end();
      });
    };
    const server = tls ? createTlsServer(tls, listener) : createServer(listener);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const { port } = server.address() as AddressInfo;
    receiver.url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
    return receiver;
  }

  /** What it was sent, as JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every shape
  get messages(): any[] {
    return this.received.map(({ body }) => JSON.parse(body.toString()));
  }

  /** The first that fits; waits until there is one. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  gets(fits: (message: any) => boolean): Promise<any> {
    return until(() => this.messages.find(fits));
  }
}
