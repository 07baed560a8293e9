import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isUrl } from '@signalbox/protocol';
import { ERROR_HEADER } from '@signalbox/transport';
import { RequestInvalidError } from '../../base/request-errors.ts';
import { NoSuchDoorError } from './door-errors.ts';
import { problemOf } from './problem.ts';

/** How long one who was answered for the last time may take to read that and to leave. */
const LEAVE_MS = 1000;

/** Where an upgrade request wants to go. Raises `DOOR_NOT_FOUND`. */
export function targetOf({ url = '/' }: IncomingMessage): URL {
  const target = `http://hub${url}`;
  if (!url.startsWith('/') || !isUrl(target)) throw new NoSuchDoorError();
  return new URL(target);
}

/** Raises `REQUEST_INVALID`: one that names two hosts may mean another one to whoever stands in front of the hub. */
export function assertOneHost({ rawHeaders }: IncomingMessage): void {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1)
    throw new RequestInvalidError('there is more than one Host header');
}

export function isForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Answer a request that asks for some other protocol as if it had not asked, as HTTP allows. Raises `REQUEST_INVALID` for
 * one with a body: node does not read bodies of these.
 */
export async function answerWithoutUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  onRequest: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<void> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (!(socket instanceof Socket) || length !== '0' || encoding !== undefined)
    throw new RequestInvalidError('a request with a body cannot ask for another protocol');
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => {
    response.detachSocket(socket);
    leave(socket);
  });
  await onRequest(request, response);
}

/** Refuse an upgrade, and let go of its connection. */
export function refuseUpgrade(socket: Duplex, error: unknown): void {
  const problem = problemOf(error);
  const body = JSON.stringify(problem);
  socket.write(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\ncontent-type: application/problem+json\r\n` +
      `${ERROR_HEADER}: ${problem.code}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  leave(socket);
}

/** Nobody else ends it: a server's sockets stay open when their other half is closed. */
function leave(socket: Duplex): void {
  const patience = setTimeout(() => socket.destroy(), LEAVE_MS).unref();
  socket.once('close', () => clearTimeout(patience));
  socket.once('end', () => socket.destroy());
  // What it still sends is read and dropped: unread, it would cost the client our answer.
  socket.resume();
  socket.end();
}
