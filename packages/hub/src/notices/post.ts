import { type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP } from 'node:net';
import { hostOf, isInside, outsideOnly } from './endpoint.ts';
import { NoticeAddressError, NoticeTimeoutError } from './notice-errors.ts';

/** What is sent to the server of a target. */
export interface OutgoingRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

/** What a server said to it. */
export interface ServerAnswer {
  status: number;
  retryAfterMs: number | undefined;
}

/**
 * Send it, and give what the server says. A redirect is an answer like any other: it is never followed. Raises
 * `NOTICE_ADDRESS_REFUSED`, `NOTICE_TIMEOUT`, or what the network says.
 */
export function post(
  { url, headers, body }: OutgoingRequest,
  { allowsPrivate, timeoutMs, signal }: { allowsPrivate: boolean; timeoutMs: number; signal: AbortSignal },
): Promise<ServerAnswer> {
  return new Promise((resolve, reject) => {
    const host = hostOf(url);
    // An address is not looked up.
    if (!allowsPrivate && isIP(host) !== 0 && isInside(host)) return reject(new NoticeAddressError());
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      // A connection that is kept could be one that another target was allowed to make.
      agent: false,
      signal,
      ...(allowsPrivate ? {} : { lookup: outsideOnly }),
    };
    const sent = url.protocol === 'https:' ? requestTls(url, options) : requestPlain(url, options);
    // From the first look for its name to the head of the answer: a server that sends a byte a minute is no server.
    const timer = setTimeout(() => sent.destroy(new NoticeTimeoutError(timeoutMs / 1000)), timeoutMs);
    sent.once('response', (answer) => {
      clearTimeout(timer);
      resolve({
        status: answer.statusCode ?? 0,
        retryAfterMs: millisecondsIn(answer.headers['retry-after']),
      });
      // What else it says is nobody's business.
      answer.destroy();
    });
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sent.end(body);
  });
}

function millisecondsIn(seconds: string | undefined): number | undefined {
  return seconds !== undefined && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
