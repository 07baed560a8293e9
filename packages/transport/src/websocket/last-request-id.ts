import { LineHead } from '@signalbox/protocol';
import type { OutgoingLine } from '../outgoing-line.ts';

/** Names the last message a side has, on the upgrade request and on its answer. */
export const LAST_ID_HEADER = 'x-last-request-id';

const encoder = new TextEncoder();

/** The id of a message on its way out. */
export function idOf(line: OutgoingLine): string | undefined {
  return new LineHead(typeof line === 'string' ? encoder.encode(line) : line).uuid;
}

/** The header that names this message; none when its id, which anyone may have chosen, would break the header. */
export function lastIdHeader(id: string | undefined): Record<string, string> {
  return id !== undefined && /^[\x21-\x7e]{1,256}$/.test(id) ? { [LAST_ID_HEADER]: id } : {};
}
