import { LIMITS } from '@signalbox/protocol';
import { HubRefusedError } from './hub-errors.ts';

/** As much of a `ReadableStream` as is used. */
export interface AnswerBody {
  getReader: () => {
    read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel: () => Promise<void>;
  };
}

/** What comes, as it comes; who stops reading tells the other side. Raises `broken` when it breaks off. */
export async function* chunksOf(
  body: AnswerBody,
  broken: (error: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let isWhole = false;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw broken(error);
      });
      isWhole = done;
      if (done || !value) return;
      yield value;
    }
  } finally {
    if (!isWhole) void reader.cancel().catch(() => {});
  }
}

/** An answer of somebody who may not be a hub. Raises `HUB_REFUSED` (`ANSWER_TOO_LONG`) when it does not end. */
export async function textOf(
  response: { body?: AnswerBody | null; status: number; text: () => Promise<string> },
  most: number = LIMITS.hubAnswerBytes.most,
): Promise<string> {
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || !value) return pieces.join('') + decoder.decode();
    bytes += value.byteLength;
    if (bytes > most) {
      void reader.cancel().catch(() => {});
      throw new HubRefusedError(
        'ANSWER_TOO_LONG',
        `The answer is longer than ${most} bytes.`,
        response.status,
      );
    }
    pieces.push(decoder.decode(value, { stream: true }));
  }
}
