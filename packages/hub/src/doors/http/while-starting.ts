import type { IncomingMessage, ServerResponse } from 'node:http';
import { HubStartingError } from './server-errors.ts';

/**
 * Answer those who only want to know whether the hub is there: whoever waits for a hub to be ready must not hang. Says whether it was
 * one of them; all others wait until the hub serves.
 */
export function answerWhileStarting({ method, url }: IncomingMessage, response: ServerResponse): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (url !== '/healthz' && url !== '/readyz') return false;
  const isAlive = url === '/healthz';
  response.writeHead(isAlive ? 200 : 503, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${isAlive ? 'ok' : new HubStartingError().code}\n`);
  return true;
}
