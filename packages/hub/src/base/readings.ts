import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Reading, ReadingBudget } from '@signalbox/transport';
import { freeMemory, LONG_MESSAGE_BYTES } from './free-memory.ts';

/** Of this process, which has one memory. */
export const readings = new ReadingBudget({
  onDealt: (bytes) => {
    // Before the next one is read, but not before whoever holds this one has let go of it.
    if (bytes > LONG_MESSAGE_BYTES) setImmediate(freeMemory);
  },
});

/** The reading of a request's body, which is held until the request is answered. */
export function readingOf(request: IncomingMessage, response: ServerResponse): Reading {
  const reading = readings.begin({
    pause: () => request.pause(),
    resume: () => request.resume(),
    cut: () => request.destroy(),
  });
  response.once('close', () => reading.end());
  return reading;
}
