import {
  type ChainedEntry,
  followConversation,
  isChained,
  isJsonObject,
  messagesOf,
} from '@signalbox/protocol';
import { requireSession, type SessionLocation } from './find-session.ts';
import { SessionMessageNotFoundError } from './session-errors.ts';
import { describeSession } from './session-info.ts';
import type { SessionStoreEntry } from './session-store.ts';

/** Words of the conversation, in which a uuid is no reference. */
const SPOKEN_FIELDS = new Set(['message', 'toolUseResult']);

/** How a session is forked. */
export interface ForkSessionOptions extends SessionLocation {
  /** The last message that the fork is to have; all unless given. */
  upToMessageId?: string;
  /** The title of the fork; that of the session and `(fork)` unless given. */
  title?: string;
}

/** The new session. */
export interface ForkSessionResult {
  sessionId: string;
}

/** Copy a conversation into a session of its own, which `resume` can go on with. The files' history is not copied. */
export async function forkSession(
  sessionId: string,
  options: ForkSessionOptions = {},
): Promise<ForkSessionResult> {
  const { store, key } = await requireSession(sessionId, options);
  const entries = (await store.load(key)) ?? [];
  const known = upTo(options.upToMessageId, entries, sessionId).filter(isChained);
  const conversation = followConversation(known);
  const wanted = new Set<ChainedEntry>([...conversation, ...messagesOf(conversation, known)]);
  const forkId = crypto.randomUUID();
  const info = describeSession({ sessionId, mtime: 0 }, entries);
  const customTitle = options.title ?? `${info?.summary ?? sessionId} (fork)`;
  await store.append({ ...key, sessionId: forkId }, [
    ...copiesOf(
      known.filter((entry) => wanted.has(entry)),
      sessionId,
      forkId,
    ),
    { type: 'custom-title', customTitle, sessionId: forkId },
  ]);
  return { sessionId: forkId };
}

/** What was said after the message is no part of the fork. */
function upTo(
  messageId: string | undefined,
  entries: SessionStoreEntry[],
  sessionId: string,
): SessionStoreEntry[] {
  if (messageId === undefined) return entries;
  const at = entries.findIndex(({ uuid }) => uuid === messageId);
  if (at === -1) throw new SessionMessageNotFoundError(sessionId, messageId);
  return entries.slice(0, at + 1);
}

/** Copies with uuids of their own, that refer to each other as the originals do. */
function copiesOf(entries: readonly ChainedEntry[], sessionId: string, forkId: string): SessionStoreEntry[] {
  const uuids = new Map(entries.map(({ uuid }) => [uuid, crypto.randomUUID()]));
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string') return uuids.get(value) ?? value;
    if (Array.isArray(value)) return value.map(renamed);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renamed(inner)]));
  };
  return entries.map((entry) => ({
    ...Object.fromEntries(
      Object.entries(entry).map(([name, value]) => [name, SPOKEN_FIELDS.has(name) ? value : renamed(value)]),
    ),
    type: entry.type,
    sessionId: forkId,
    forkedFrom: { sessionId, messageUuid: entry.uuid },
  }));
}
