import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from 'node:net';
import { onTestFinished } from 'vitest';
import type { HttpLimits } from '../../src/model/http-fetch.ts';
import { ModelClient, type ModelRequest } from '../../src/model/model-client.ts';

/** A certificate for `model.test` that nothing but these tests trusts, and its key. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmTCCAT6gAwIBAgIUAyddEI2Uis8fQOhCZHUHfYq6YjYwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKbW9kZWwudGVzdDAgFw0yNjExMTUxODIzMTdaGA8yMTI2MTAy
MjE4MjMxN1owFTETMBEGA1UEAwwKbW9kZWwudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABHJFfMHYZ84PkrCR3LRKFTD0fid1l+qaXhplV7IMyq5SiPchFkkQ
j8oomCXMg4127gnvPxFbhp4Q1vqctCKZqFajajBoMB0GA1UdDgQWBBQcYqABTpNV
+7rPADqwckoDhmVSvTAfBgNVHSMEGDAWgBQcYqABTpNV+7rPADqwckoDhmVSvTAP
BgNVHRMBAf8EBTADAQH/MBUGA1UdEQQOMAyCCm1vZGVsLnRlc3QwCgYIKoZIzj0E
AwIDSQAwRgIhANZGZiSo1xuJcJJgxe0JxuAE7htIb+U3/upWPhsNU2bkAiEA8Txu
kC+yXYPcMFw7Ezq1wezNiqiUuVHs02gxjLC77vM=
-----END CERTIFICATE-----
`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFtpFTe0UxwtYUUW/
dj2ewUhS3bzdzIXqc85DakGxsmKhRANCAARyRXzB2GfOD5Kwkdy0ShUw9H4ndZfq
ml4aZVeyDMquUoj3IRZJEI/KKJglzIONdu4J7z8RW4aeENb6nLQimahW
-----END PRIVATE KEY-----
`;

const USAGE = { input_tokens: 1, output_tokens: 1 };
const MESSAGE = { id: 'm', type: 'message', role: 'assistant', model: 'a-model', content: [], usage: USAGE };

const EVENTS = [
  { type: 'message_start', message: MESSAGE },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'hi' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE },
  { type: 'message_stop' },
];

export const EVENT_TYPES: readonly string[] = EVENTS.map(({ type }) => type);

/** A reply of the Messages API, or its beginning. */
export function sse(events: readonly { type: string }[] = EVENTS): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

/** Requests as they arrived, with what the scripted model would hide. */
export interface ApiStub {
  port: number;
  url: string;
  asked: { url: string | undefined; headers: IncomingHttpHeaders }[];
}

/** A server on loopback that answers as it is told, or with a short reply. It is closed after the test. */
export async function openApi(
  answer: RequestListener = (_request, response) => response.end(sse()),
  isSecure = false,
): Promise<ApiStub> {
  const asked: ApiStub['asked'] = [];
  const listener: RequestListener = (request, response) => {
    asked.push({ url: request.url, headers: request.headers });
    request.resume().once('end', () => answer(request, response));
  };
  const server = isSecure
    ? createSecureServer({ cert: CERTIFICATE, key: KEY }, listener)
    : createServer(listener);
  const port = await listen(server);
  return { port, url: `http://127.0.0.1:${port}`, asked };
}

/** A server that takes connections and says nothing. */
export async function openMute(): Promise<number> {
  return listen(createSocketServer());
}

/** A proxy that connects to a port of this machine, whatever it is asked for. */
export async function openProxy(
  port: number,
): Promise<{ url: string; asked: { to: string | undefined; authorization: string | undefined }[] }> {
  const asked: { to: string | undefined; authorization: string | undefined }[] = [];
  const proxy = createServer();
  proxy.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push({ to: request.url, authorization: request.headers['proxy-authorization'] });
    const upstream = connect(port, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    client.pipe(upstream).pipe(client);
    for (const end of [client, upstream]) end.on('error', () => {});
  });
  return { url: `http://127.0.0.1:${await listen(proxy)}`, asked };
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const address: AddressInfo = Object(server.address());
  return address.port;
}

export const REQUEST: ModelRequest = {
  model: 'a-model',
  max_tokens: 10,
  messages: [{ role: 'user', content: 'hi' }],
};

/** Ask once, with a key unless the environment says otherwise; the types of the events that came. */
export async function ask(
  env: NodeJS.ProcessEnv,
  limits?: HttpLimits,
  signal: AbortSignal = new AbortController().signal,
): Promise<string[]> {
  const client = new ModelClient({ ANTHROPIC_API_KEY: 'the-key', ...env }, limits && { limits });
  const types: string[] = [];
  for await (const { type } of client.stream(REQUEST, signal)) types.push(type);
  return types;
}
