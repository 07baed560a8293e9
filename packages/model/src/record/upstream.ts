import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { isUrl } from '@signalbox/protocol';
import { ApiError } from '../api/api-error.ts';
import { UpstreamInvalidError } from '../errors.ts';
import type { Exchange } from '../server/http-front.ts';

const NOT_FORWARDED = 'host connection keep-alive upgrade expect content-length transfer-encoding'.split(' ');
const NOT_RETURNED =
  'connection keep-alive content-length content-encoding transfer-encoding set-cookie'.split(' ');

function forwardedHeaders(headers: IncomingHttpHeaders): Headers {
  const forwarded = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || NOT_FORWARDED.includes(name)) continue;
    forwarded.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  forwarded.set('accept-encoding', 'identity');
  return forwarded;
}

/** The Messages API behind a recorder. */
export class Upstream {
  readonly #base: string;
  readonly #host: string;

  constructor(address: string) {
    const url = isUrl(address) ? new URL(address) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search) {
      throw new UpstreamInvalidError();
    }
    this.#base = `${url.origin}${url.pathname.replace(/\/$/, '')}`;
    this.#host = url.host;
  }

  /** Passes a request on and its answer back, piece by piece; `onChunk` sees the pieces. */
  async pass(
    { request, response, signal }: Exchange,
    body: Buffer,
    onChunk: (chunk: Uint8Array) => void,
  ): Promise<{ ok: boolean; contentType: string }> {
    const reply = await fetch(`${this.#base}${request.url ?? '/'}`, {
      method: request.method ?? 'GET',
      headers: forwardedHeaders(request.headers),
      ...(body.length > 0 ? { body } : {}),
      // The client's key must not follow a redirect to another host.
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw new ApiError(502, `The upstream ${this.#host} cannot be reached`);
    });
    for (const [name, value] of reply.headers) {
      if (!NOT_RETURNED.includes(name)) response.setHeader(name, value);
    }
    response.writeHead(reply.status);
    for await (const chunk of reply.body ?? []) {
      if (!response.write(chunk)) await once(response, 'drain', { signal });
      onChunk(chunk);
    }
    response.end();
    return { ok: reply.ok, contentType: reply.headers.get('content-type') ?? '' };
  }
}
