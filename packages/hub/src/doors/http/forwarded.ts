import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a node that passes a request on proves itself by: the secret that lies in the database of all nodes. */
export const NODE_HEADER = 'x-signalbox-node';

/** And where the request came to it from. */
export const FORWARDED_FOR = 'x-forwarded-for';

const forwarded = new WeakMap<IncomingMessage, string>();

/** Take note of a request that another node has passed on. */
export function noteForwarded(request: IncomingMessage, secret: string | undefined): void {
  const said = request.headers[NODE_HEADER];
  if (secret === undefined || typeof said !== 'string' || !isEqual(said, secret)) return;
  const from = request.headers[FORWARDED_FOR];
  forwarded.set(request, typeof from === 'string' ? from : 'another node');
}

/** Where a request came from that another node has passed on; undefined for one that came here by itself. */
export function forwardedFor(request: IncomingMessage): string | undefined {
  return forwarded.get(request);
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
