import type { IncomingMessage } from 'node:http';
import type { Limit } from '@signalbox/protocol';
import type { Reading } from '../reading-budget.ts';
import { EventsRefusedError } from './events-body.ts';

const LEFT = 'The client left before its body was complete.';

/** How long the body of a request may take. */
export interface BodyPatience {
  /** Without anything that arrives, while it is read. */
  pauseMs: number;
  /** From the first look to the end; for as long as it goes on, unless told. */
  wholeMs?: number | undefined;
}

/**
 * The body of a JSON request. Past the limit the rest is read and dropped, so that the client hears the answer. A long one
 * waits for its part of what all readers share. Raises `EVENTS_REFUSED` with 413 or 408.
 */
export function readBody(
  request: IncomingMessage,
  { most }: Pick<Limit, 'most'>,
  { reading, patience }: { reading?: Reading; patience?: BodyPatience } = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(new Error(LEFT));
    const tooLong = new EventsRefusedError(413, `The body is longer than ${most} bytes: post fewer events.`);
    if (Number(request.headers['content-length'] ?? 0) > most) return reject(tooLong);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let state: 'reading' | 'over' = 'reading';
    const fail = (error: Error): void => {
      state = 'over';
      chunks.length = 0;
      watch?.end();
      reject(error);
    };
    const watch = patience && new BodyWatch(patience, reading, fail);
    request.on('data', (chunk: Buffer) => {
      if (state === 'over') return;
      bytes += chunk.length;
      if (bytes > most) return fail(tooLong);
      watch?.moved();
      chunks.push(chunk);
      reading?.add(chunk.length);
    });
    request.once('end', () => {
      if (state === 'over') return;
      watch?.end();
      reading?.complete();
      resolve(Buffer.concat(chunks.splice(0), bytes));
    });
    request.once('error', fail);
    request.once('close', () => fail(new Error(LEFT)));
  });
}

/** Ends the patience with a body that does not arrive. */
class BodyWatch {
  readonly #pause: NodeJS.Timeout;
  readonly #whole: NodeJS.Timeout | undefined;

  constructor(
    { pauseMs, wholeMs }: BodyPatience,
    reading: Reading | undefined,
    fail: (error: Error) => void,
  ) {
    const tooSlow = new EventsRefusedError(408, 'The body takes too long to arrive: send it at once.');
    this.#pause = setTimeout(() => {
      // While it waits for its turn, it is not read.
      if (reading?.isWaiting) this.#pause.refresh();
      else fail(tooSlow);
    }, pauseMs);
    if (wholeMs !== undefined) this.#whole = setTimeout(() => fail(tooSlow), wholeMs);
  }

  moved(): void {
    this.#pause.refresh();
  }

  end(): void {
    clearTimeout(this.#pause);
    clearTimeout(this.#whole);
  }
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
