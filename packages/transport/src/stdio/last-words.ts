import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { settledWithin } from '../settled-within.ts';

/** A pipe that is silent for this long after its process ended holds nothing more of it. */
export const LAST_WORDS_SILENCE_MS = 250;

/** More than a pipe can hold: whoever still writes is not the process that ended. */
export const LAST_WORDS_BYTES = 1024 * 1024;

/**
 * Read what a process that ended left in a pipe, then close it. The end of the pipe may never come: something
 * that the process started can hold it open, so silence counts as the end too.
 */
export async function readLastWords(pipe: Readable): Promise<void> {
  if (pipe.closed) return;
  const closed = new Promise<void>((resolve) => pipe.once('close', resolve));
  const read = { bytes: 0 };
  pipe.on('data', (chunk: Buffer | string) => {
    read.bytes += chunk.length;
  });
  for (let before = -1; read.bytes > before && read.bytes < LAST_WORDS_BYTES; ) {
    before = read.bytes;
    if (await settledWithin(closed, LAST_WORDS_SILENCE_MS)) return;
    // A busy process finds the time over before it has looked at its pipes.
    await nextTurn();
  }
  pipe.destroy();
  await closed;
}
