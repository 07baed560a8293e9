import type { ServerResponse } from 'node:http';

/** Call `release` once the whole answer is on its way to whoever asked, or cannot be any more. */
export function onAnswerEnd(response: ServerResponse, release: () => void): void {
  // Of an answer to a refused upgrade there is no close, of one whose client has left no finish.
  response.once('finish', release);
  response.once('close', release);
}
