import { LIMITS } from '@signalbox/protocol';
import { HubRefusedError } from './hub-errors.ts';

/** As much of a `ReadableStream` as is used. */
export interface AnswerBody {
  getReader: () => {
    read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel: () => Promise<void>;
  };
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
