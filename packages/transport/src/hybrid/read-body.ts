import type { IncomingMessage } from 'node:http';
import type { Limit } from '@signalbox/protocol';
import type { Reading } from '../reading-budget.ts';
import { EventsRefusedError } from './events-body.ts';

/**
 * The body of a JSON request. Past the limit the rest is read and dropped, so that the client hears the answer. A long one
 * waits for its part of what all readers share.
 */
export function readBody(
  request: IncomingMessage,
  { most }: Pick<Limit, 'most'>,
  reading?: Reading,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const left = new Error('The client left before its body was complete.');
    const tooLong = new EventsRefusedError(413, `The body is longer than ${most} bytes: post fewer events.`);
    if (request.destroyed) return reject(left);
    if (Number(request.headers['content-length'] ?? 0) > most) return reject(tooLong);
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= most) chunks.push(chunk);
      else reject(tooLong);
      if (bytes <= most) reading?.add(chunk.length);
    });
    request.once('end', () => {
      reading?.complete();
      resolve(Buffer.concat(chunks.splice(0), bytes));
    });
    request.once('error', reject);
    request.once('close', () => reject(left));
  });
}

/** Only a request that says it is JSON is read: a page can make a browser send anything else to another site. */
export function assertJsonContent({ headers }: IncomingMessage): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new EventsRefusedError(415, 'Events are posted as content-type: application/json.');
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new EventsRefusedError(
      415,
      `A body in content-encoding ${encoding} is not read: post it as it is.`,
    );
  }
}
