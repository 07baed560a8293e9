import type { IncomingMessage } from 'node:http';
import { BodyTooSlowError } from '../../base/request-errors.ts';

/** A body as it comes: who stops reading can go on where they left, unless nothing came for too long. */
export class BodyChunks implements AsyncIterable<Uint8Array> {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #pauseMs: number;
  #state: 'arriving' | 'stalled' = 'arriving';

  constructor(request: IncomingMessage, pauseMs: number) {
    this.#chunks = request.iterator({ destroyOnReturn: false });
    this.#pauseMs = pauseMs;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() };
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#state === 'stalled') throw new BodyTooSlowError();
    const chunk = this.#chunks.next();
    let timer: NodeJS.Timeout | undefined;
    const stalled = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#state = 'stalled';
        // Nobody waits for it any more: that it breaks off is no news.
        chunk.catch(() => {});
        reject(new BodyTooSlowError());
      }, this.#pauseMs);
    });
    try {
      return await Promise.race([chunk, stalled]);
    } finally {
      clearTimeout(timer);
    }
  }
}
