import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ClientMessage, StreamMessage } from '@signalbox/protocol/hub';
import { onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';

/** A server that says what no hub should say, and remembers what it heard. */
export interface FakeHub {
  url: string;
  heard: ClientMessage[];
  say: (...messages: StreamMessage[]) => void;
  sayText: (text: string) => void;
  close: (code: number) => void;
}

export async function fakeHub(): Promise<FakeHub> {
  const http = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const sockets = new WebSocketServer({ server: http });
  const heard: ClientMessage[] = [];
  sockets.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()))),
  );
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate();
    http.close();
  });
  const address = http.address();
  const sayText = (text: string): void => {
    for (const client of sockets.clients) client.send(text);
  };
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    heard,
    say: (...messages) => sayText(messages.map((message) => JSON.stringify(message)).join('\n')),
    sayText,
    close: (code) => {
      for (const client of sockets.clients) client.close(code);
    },
  };
}

export function entry(seq: number, check = seq): StreamMessage {
  return { type: 'sdk-message', session: 's', seq, check, message: { seq } };
}
