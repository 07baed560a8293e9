import { isJsonObject, parseJson } from '@signalbox/protocol';

/** The channel of the database on which nodes tell each other of themselves. */
export const NEWS_CHANNEL = 'signalbox_node';

/** A node has come, or another one has noted where it is. */
export type NodeNews = { kind: 'come'; id: string } | { kind: 'noted'; id: string; by: string };

/** Undefined for what is not understood: a later version tells of more, and whoever may connect to a database can say anything. */
export function nodeNewsIn(told: string): NodeNews | undefined {
  try {
    const value = parseJson(told);
    if (!isJsonObject(value)) return undefined;
    const { kind, id, by } = value;
    if (typeof id !== 'string') return undefined;
    if (kind === 'come') return { kind, id };
    return kind === 'noted' && typeof by === 'string' ? { kind, id, by } : undefined;
  } catch {
    return undefined;
  }
}
