import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Reading, ReadingBudget } from '@signalbox/transport';

/** Of this process, which has one memory. */
export const readings = new ReadingBudget();

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
