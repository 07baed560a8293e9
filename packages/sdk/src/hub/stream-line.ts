import { isJsonObject, type JsonObject, parseJson } from '@signalbox/protocol';
import type { StreamMessage } from '@signalbox/protocol/hub';

/** What a line of the stream says; undefined for what no hub says: a proxy in between may say anything. */
export function messageIn(line: string): StreamMessage | undefined {
  try {
    const message = parseJson(line);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a hub says nothing else on its stream
    return isJsonObject(message) && isWhole(message) ? (message as unknown as StreamMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether it has what the stream itself goes by: an error over a missing field would end the program. */
function isWhole({ type, session, epoch, first, last, seq, permissions, prompts }: JsonObject): boolean {
  const isNamed = typeof session === 'string' || (isJsonObject(session) && typeof session.id === 'string');
  if (type === 'ack' || type === 'error') return true;
  if (!isNamed) return false;
  if (type === 'session') return isJsonObject(session);
  if (type === 'sdk-message') return typeof seq === 'number' && typeof epoch === 'string';
  if (type !== 'snapshot') return true;
  const hasNumbers = typeof first === 'number' && typeof last === 'number' && typeof epoch === 'string';
  return isJsonObject(session) && hasNumbers && Array.isArray(permissions) && Array.isArray(prompts);
}
