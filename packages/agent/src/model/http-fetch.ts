import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { LIMITS, messageOf } from '@signalbox/protocol';
import { openTunnel, proxyFor } from './http-proxy.ts';
import { LightHeaders } from './light-headers.ts';
import { ModelError, tooLong } from './model-error.ts';

/** What is kept of the text of a refusal. */
const MAX_REFUSAL_BYTES = 10_000;

/** How long the API is waited for. */
export interface HttpLimits {
  /** Until there is a connection. */
  connectMs: number;
  /** Without a byte: the API sends pings while a model thinks. */
  silenceMs: number;
}

const DEFAULT_LIMITS: HttpLimits = { connectMs: 10_000, silenceMs: 300_000 };

/** What the official client says of a request. */
export interface HttpRequest {
  method: string;
  headers: Iterable<readonly [string, string]>;
  body: string;
  signal: AbortSignal;
}

/** What the official client uses of a `Response`. */
export interface HttpResponse {
  ok: boolean;
  status: number;
  url: string;
  headers: LightHeaders;
  body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
}

/**
 * A `fetch` for the official client. The platform's own would take a third of the agent's start and a quarter of its
 * memory, gives up on no connection, and knows no proxies. Throws {@link ModelError}.
 */
export function httpFetch(env: NodeJS.ProcessEnv, limits: HttpLimits = DEFAULT_LIMITS) {
  return async (address: string, asked: HttpRequest): Promise<HttpResponse> => {
    const url = new URL(address);
    const sent = await openRequest(url, asked, env, limits);
    const response = await answerTo(sent, asked.body, limits);
    const { statusCode: status = 0 } = response;
    const body = bytesOf(response, limits);
    return {
      ok: status >= 200 && status < 300,
      status,
      url: address,
      headers: headersOf(response),
      body,
      text: () => beginningOf(body),
    };
  };
}

async function openRequest(
  url: URL,
  { method, headers, signal }: HttpRequest,
  env: NodeJS.ProcessEnv,
  { connectMs }: HttpLimits,
): Promise<ClientRequest> {
  const isSecure = url.protocol === 'https:';
  const request = isSecure ? (await import('node:https')).request : httpRequest;
  // All in one object: programs that wrap `request` to watch it read the address, method and headers from there.
  const options: RequestOptions = {
    ...urlToHttpOptions(url),
    method,
    headers: { 'accept-encoding': 'identity', ...Object.fromEntries(headers) },
    signal,
  };
  const proxy = proxyFor(url, env);
  if (proxy) {
    const tunnel = await openTunnel(proxy, url, { connectMs, signal }).catch(connectionFailed);
    options.createConnection = () => tunnel;
  }
  try {
    const sent = request(options);
    sent.once('socket', keepListening);
    limitConnecting(sent, isSecure ? 'secureConnect' : 'connect', connectMs);
    return sent;
  } catch (error) {
    // Such as a character that no header may have. Trying again would not help, and so this has a status that says so.
    const what = `API Error: The request cannot be sent: ${messageOf(error)}`;
    throw new ModelError(what, 'invalid_request', { status: 400, cause: error });
  }
}

/** Node takes its own listener off a socket when a reply is complete; an interrupt just then would end the process. */
function keepListening(socket: Socket): void {
  if (!socket.listeners('error').includes(isHeardElsewhere)) socket.on('error', isHeardElsewhere);
}

function isHeardElsewhere(): void {}

function limitConnecting(sent: ClientRequest, done: 'connect' | 'secureConnect', connectMs: number): void {
  sent.once('socket', (socket) => {
    const isConnected = sent.reusedSocket || (done === 'connect' && !socket.connecting);
    if (isConnected) return;
    const timer = endAfter(connectMs, sent, `No connection within ${connectMs / 1000} s`);
    for (const event of [done, 'close']) socket.once(event, () => clearTimeout(timer));
  });
}

async function answerTo(
  sent: ClientRequest,
  body: string,
  { silenceMs }: HttpLimits,
): Promise<IncomingMessage> {
  const timer = endAfter(silenceMs, sent, silence(silenceMs));
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      // Stays for good: an error after the answer is the answer's own, and must not end the process.
      sent.on('error', reject);
      sent.end(body);
    });
  } catch (error) {
    return connectionFailed(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Only while a chunk is waited for does silence count: a host that reads slowly is not the API's fault. */
async function* bytesOf(response: IncomingMessage, { silenceMs }: HttpLimits): AsyncGenerator<Uint8Array> {
  const wait = (): NodeJS.Timeout => endAfter(silenceMs, response, silence(silenceMs));
  let timer = wait();
  let unfinished = 0;
  try {
    for await (const chunk of response) {
      clearTimeout(timer);
      unfinished = endsEvent(chunk) ? 0 : unfinished + chunk.length;
      if (unfinished > LIMITS.replyEventBytes.most) throw tooLong(LIMITS.replyEventBytes);
      yield chunk;
      timer = wait();
    }
  } catch (error) {
    if (error instanceof ModelError) throw error;
    const what = `API Error: The connection broke in the middle of a reply: ${messageOf(error)}`;
    throw new ModelError(what, 'unknown', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Whether an event ends in a chunk. One that ends between two is missed, which the next one makes up for. */
function endsEvent(chunk: Buffer): boolean {
  return chunk.includes('\n\n') || chunk.includes('\n\r\n');
}

function endAfter(ms: number, what: { destroy(error: Error): unknown }, reason: string): NodeJS.Timeout {
  return setTimeout(() => what.destroy(new Error(reason)), ms).unref();
}

function silence(ms: number): string {
  return `No word from the API for ${ms / 1000} s`;
}

function connectionFailed(error: unknown): never {
  // Where several addresses were tried, the error has a code and no text.
  const what =
    messageOf(error) || (error instanceof Error && 'code' in error ? String(error.code) : 'failed');
  throw new ModelError(`API Error: Connection error: ${what}`, 'unknown', { cause: error });
}

function headersOf({ headers }: IncomingMessage): LightHeaders {
  return new LightHeaders(
    Object.entries(headers).flatMap(([name, value = []]) =>
      [value].flat().map((text) => [name, text] as const),
    ),
  );
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_REFUSAL_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_REFUSAL_BYTES);
}
