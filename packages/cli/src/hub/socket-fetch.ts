import { connect, type Socket } from 'node:net';
import { LIMITS } from '@signalbox/protocol';
import { type HubFetch, HubRefusedError } from 'signalbox/hub';
import { IncomingBytes } from './incoming-bytes.ts';

/** What may be in a line of a request. A line break would begin another header. */
const SENDABLE = /^[\t\x20-\x7e]*$/;

const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: |$)/;

/** As much of the head of an answer as is used. */
interface Head {
  status: number;
  isChunked: boolean;
  /** Undefined when it goes on until the connection is closed. */
  length: number | undefined;
}

/**
 * A `fetch` by the socket at a path, with a connection for each request: the platform's own knows ports only, and to load `node:http` takes
 * most of the time in which a command lists the sessions of a hub.
 */
export function socketFetch(path: () => string): HubFetch {
  return async (url, { method, headers, body, signal }) => {
    signal.throwIfAborted();
    const request = requestText(url, method, headers, body);
    const socket = connect({ path: path(), signal });
    // Whoever reads is told.
    socket.on('error', () => {});
    socket.write(request);
    const bytes = new IncomingBytes(socket);
    try {
      const head = await readHead(bytes);
      const chunks = bodyOf(socket, bytes, head);
      const read = async () => {
        const next = await chunks.next();
        return next.done ? { done: true } : { done: false, value: next.value };
      };
      return {
        ok: head.status >= 200 && head.status < 300,
        status: head.status,
        body: { getReader: () => ({ read, cancel: async () => void socket.destroy() }) },
        text: async () => (await import('node:stream/consumers')).text(chunks),
      };
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}

function requestText(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): string {
  const { host, pathname, search } = new URL(url);
  const all = {
    host,
    connection: 'close',
    ...headers,
    ...(method === 'GET' ? {} : { 'content-length': `${Buffer.byteLength(body ?? '')}` }),
  };
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
  ];
  // The line itself is not said: it may hold the token.
  if (!lines.every((line) => SENDABLE.test(line)))
    throw new TypeError('A header of the request holds a character that cannot be sent: is it in the token?');
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** The head of the answer, after those that only say that it takes time. */
async function readHead(bytes: IncomingBytes): Promise<Head> {
  for (;;) {
    const [, status] = STATUS_LINE.exec((await bytes.line(LIMITS.hubHeadBytes.most)) ?? '') ?? [];
    // Who speaks another protocol may never come to the end of a head.
    if (status === undefined) throw unreadable('it does not begin as HTTP does');
    const fields = await readFields(bytes);
    if (!status.startsWith('1')) return parseHead(Number(status), fields);
  }
}

async function readFields(bytes: IncomingBytes): Promise<string[]> {
  const lines: string[] = [];
  for (let room = LIMITS.hubHeadBytes.most; ; ) {
    const line = await bytes.line(room);
    if (line === undefined) throw unreadable(`its head is longer than ${LIMITS.hubHeadBytes.most} bytes`);
    if (line === '') return lines;
    room -= line.length;
    lines.push(line);
  }
}

function parseHead(status: number, fields: readonly string[]): Head {
  const values = (name: string): string[] =>
    fields
      .filter((field) => field.toLowerCase().startsWith(`${name}:`))
      .map((field) => field.slice(name.length + 1).trim());
  const codings = values('transfer-encoding');
  const [length, ...others] = new Set(values('content-length'));
  const isChunked = codings.length > 0;
  if (isChunked && (codings.join().toLowerCase() !== 'chunked' || length !== undefined))
    throw unreadable('it does not say how long it is');
  if (others.length > 0 || (length !== undefined && !/^\d{1,15}$/.test(length)))
    throw unreadable('it does not say how long it is');
  const isEmpty = status === 204 || status === 304;
  return {
    status,
    isChunked: isChunked && !isEmpty,
    length: isEmpty ? 0 : length === undefined ? undefined : Number(length),
  };
}

/** The body, after which the connection is of no use. */
async function* bodyOf(socket: Socket, bytes: IncomingBytes, head: Head): AsyncGenerator<Buffer> {
  try {
    if (head.isChunked) yield* chunksOf(bytes);
    else yield* head.length === undefined ? bytes.rest() : bytes.exactly(head.length);
  } finally {
    socket.destroy();
  }
}

async function* chunksOf(bytes: IncomingBytes): AsyncGenerator<Buffer> {
  for (;;) {
    const line = await bytes.line(LIMITS.hubHeadBytes.most);
    const [, size] = /^([\da-f]{1,12})(?:[ \t]*;.*)?$/i.exec(line ?? '') ?? [];
    if (size === undefined) throw unreadable('a part of it does not say how long it is');
    if (Number.parseInt(size, 16) === 0) {
      await readFields(bytes);
      return;
    }
    yield* bytes.exactly(Number.parseInt(size, 16));
    if ((await bytes.line(1)) !== '') throw unreadable('a part of it is longer than it says');
  }
}

function unreadable(what: string): HubRefusedError {
  return new HubRefusedError('ANSWER_UNREADABLE', `No answer of a hub: ${what}.`);
}
