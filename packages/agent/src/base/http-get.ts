import type { LookupAddress } from 'node:dns';
import type { IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { isUrl, SignalboxError } from '@signalbox/protocol';

/** More came than the asker takes. */
export class BodyTooLargeError extends SignalboxError {
  constructor(url: URL, limitBytes: number) {
    super('HTTP_BODY_TOO_LARGE', `${url.origin} sent more than ${limitBytes} bytes.`);
  }
}

/** How to ask. */
export interface HttpGet {
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Where the host is; without it the system is asked. */
  readonly addresses?: readonly LookupAddress[] | undefined;
}

/** What a server answered. The body is unpacked, and empty for a redirect. */
export interface HttpAnswer {
  readonly code: number;
  readonly codeText: string;
  readonly type: string;
  /** Where a redirect leads. */
  readonly location: URL | undefined;
  readonly body: Buffer;
}

/** Get a page, once: no redirect is followed. Throws {@link BodyTooLargeError}, and what the network throws. */
export async function httpGet(url: URL, ask: HttpGet): Promise<HttpAnswer> {
  const response = await send(url, ask);
  const { statusCode: code = 0, statusMessage: codeText = '', headers } = response;
  const location = code >= 300 && code < 400 ? locationOf(headers.location, url) : undefined;
  if (location) response.destroy();
  const body = location ? Buffer.alloc(0) : await readBody(response, url, ask.maxBytes);
  return { code, codeText, type: headers['content-type'] ?? '', location, body };
}

async function send(url: URL, { headers, signal, addresses }: HttpGet): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const options: RequestOptions = {
    signal,
    // A connection that was made for another request may lead elsewhere.
    agent: false,
    headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
    ...(addresses ? { lookup: leadingTo(addresses) } : {}),
  };
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end();
  });
}

/** A name is looked up once: what was checked is what is connected to. */
function leadingTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function locationOf(text: string | undefined, base: URL): URL | undefined {
  return text !== undefined && isUrl(text, base.href) ? new URL(text, base) : undefined;
}

/** What counts is the size after unpacking: a small page can be a very large one. */
async function readBody(response: IncomingMessage, url: URL, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const body = await unpacked(response);
  for await (const chunk of body) {
    const part: Buffer = chunk;
    bytes += part.length;
    if (bytes > maxBytes) {
      response.destroy();
      throw new BodyTooLargeError(url, maxBytes);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function unpacked(response: IncomingMessage): Promise<Readable> {
  const packing = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (packing === '' || packing === 'identity') return response;
  const { createBrotliDecompress, createUnzip } = await import('node:zlib');
  const unpack = packing === 'br' ? createBrotliDecompress() : createUnzip();
  response.on('error', (error) => unpack.destroy(error));
  return response.pipe(unpack);
}
