import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { startTestHub } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HubServer } from '../../src/doors/http/hub-server.ts';
import { MAX_WAITING_REQUESTS } from '../../src/doors/http/request-turns.ts';

/** More than the buffers of a connection take. */
const LONG = Buffer.alloc(12 * 1024 * 1024, 'x');

const MANY = 250;

async function connection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** A server that notes which requests it was asked to answer. */
async function notingServer(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = await HubServer.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close(0));
  const begun: string[] = [];
  server.serve(
    async (request, response) => {
      begun.push(request.url ?? '');
      await answer(request, response);
    },
    async () => {},
  );
  return { port: server.port, begun };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

const numbered = Array.from({ length: MANY }, (_, at) => `/${at}`);

describe('requests that come before the answers to those before them were read', () => {
  it('[HB780] are answered one after the other: no answer is made while the one before is unread', async () => {
    const { port, begun } = await notingServer(async (_request, response) => void response.end(LONG));
    const greedy = await connection(port);
    greedy.write(numbered.map(get).join(''));
    const other = (await connection(port)).resume();
    other.write(get('/other'));
    await once(other, 'data');
    expect(begun).toHaveLength(2);
    expect(begun).toContain('/0');
    greedy.destroy();
  });

  it('[HB780] are all answered, in their order, bodies included', async () => {
    const { port, begun } = await notingServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      response.end(`<${body}>`);
    });
    const client = await connection(port);
    const post = (text: string): string =>
      `POST ${text} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
    const long = `/${'y'.repeat(10_000)}`;
    client.write(numbered.map(post).join('') + post(long));
    let heard = '';
    for await (const chunk of client.setEncoding('utf8')) {
      heard += String(chunk);
      if (heard.includes(`<${long}>`)) break;
    }
    expect(heard.match(/<[^>]*>/g)).toEqual([...numbered, long].map((text) => `<${text}>`));
    expect(begun).toEqual([...numbered, long]);
  });

  it('[HB781] share the event loop: somebody else is answered before all of them are', async () => {
    let hasAnswered = 0;
    const { port, begun } = await notingServer(async (_request, response) => {
      const endMs = performance.now() + 2;
      while (performance.now() < endMs);
      response.end('short');
      hasAnswered += 1;
    });
    const greedy = (await connection(port)).resume();
    const other = await connection(port);
    const heard = once(other, 'data');
    greedy.write(numbered.map(get).join(''));
    await once(greedy, 'data');
    other.resume().write(get('/other'));
    await heard;
    expect(begun).toContain('/other');
    expect(hasAnswered).toBeLessThan(MANY / 2);
  });

  it('[HB781] are not heard when there are more than anybody sends, and end their connection', async () => {
    const answers: ServerResponse[] = [];
    const { port, begun } = await notingServer(async (_request, response) => void answers.push(response));
    const flooding = (await connection(port)).resume();
    const cut = once(flooding, 'close');
    flooding.on('error', () => {});
    // The first is in work, the next wait, and there is one too many.
    flooding.write(get('/waits').repeat(MAX_WAITING_REQUESTS + 2));
    await cut;
    expect(begun).toEqual(['/waits']);
  });

  it('[HB780] are not answered any more when their client has left', async () => {
    const answers: ServerResponse[] = [];
    const { port, begun } = await notingServer(async (_request, response) => void answers.push(response));
    const leaver = await connection(port);
    leaver.write(get('/0') + get('/1'));
    const other = await connection(port);
    other.write(get('/other'));
    await expect.poll(() => answers).toHaveLength(2);
    const [first] = answers;
    const gone = first && once(first, 'close');
    leaver.destroy();
    await gone;
    expect(begun.toSorted()).toEqual(['/0', '/other']);
  });
});

describe('a hub', () => {
  it('[HB780] answers many requests of one connection with a token', async () => {
    const { hub, token } = await startTestHub();
    const client = (await connection(hub.port)).setEncoding('utf8').resume();
    const ask = `GET /api/me HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`;
    let heard = '';
    client.on('data', (text) => {
      heard += String(text);
    });
    client.write(ask.repeat(MANY));
    await expect.poll(() => heard.match(/"scope"/g)?.length).toBe(MANY);
    expect(heard).not.toContain('DEVICE_LIMIT');
  });
});
