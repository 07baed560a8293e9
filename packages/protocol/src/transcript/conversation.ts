import { isJsonObject } from '../json-fields.ts';
import {
  blocksOf,
  type ChainedEntry,
  isMessage,
  isToolAnswer,
  type MessageEntry,
  replyIdOf,
} from './transcript-entry.ts';

/**
 * The conversation that ends with the newest message, oldest first. A transcript is a tree: going back and
 * trying again leaves branches that are no part of it.
 */
export function followConversation(entries: readonly ChainedEntry[]): ChainedEntry[] {
  const leaf = entries.findLast(isMessage);
  if (!leaf) return [];
  const order = new Map(entries.map((entry, at) => [entry.uuid, at]));
  const chain: ChainedEntry[] = [];
  const seen = new Set<ChainedEntry>();
  for (let entry: ChainedEntry | undefined = leaf; entry && !seen.has(entry); ) {
    seen.add(entry);
    chain.push(entry);
    entry = parentOf(entry, entries, order);
  }
  return withKeptMessages(chain.toReversed(), entries, order);
}

/** A line that was lost must not take everything before it along: the line above takes its place. */
function parentOf(
  entry: ChainedEntry,
  entries: readonly ChainedEntry[],
  order: ReadonlyMap<string, number>,
): ChainedEntry | undefined {
  if (entry.parentUuid === null) return undefined;
  const at = order.get(entry.parentUuid) ?? (order.get(entry.uuid) ?? 0) - 1;
  return entries[at];
}

/** A compaction may keep messages word for word: they follow its summary, while their own parents lie before it. */
function withKeptMessages(
  chain: ChainedEntry[],
  entries: readonly ChainedEntry[],
  order: ReadonlyMap<string, number>,
): ChainedEntry[] {
  const boundary = chain[0]?.subtype === 'compact_boundary' ? chain[0] : undefined;
  const kept = isJsonObject(boundary?.compactMetadata)
    ? boundary.compactMetadata.preservedMessages
    : undefined;
  if (!isJsonObject(kept) || !Array.isArray(kept.uuids)) return chain;
  const anchor = chain.findIndex(({ uuid }) => uuid === kept.anchorUuid);
  if (anchor === -1) return chain;
  const inChain = new Set(chain);
  const keptEntries = kept.uuids.flatMap((uuid: unknown) => {
    const entry = typeof uuid === 'string' ? entries[order.get(uuid) ?? -1] : undefined;
    return entry && !inChain.has(entry) ? [entry] : [];
  });
  return [...chain.slice(0, anchor + 1), ...keptEntries, ...chain.slice(anchor + 1)];
}

/**
 * The messages of a conversation. Calls that ran side by side are siblings in the tree, so that the chain passes
 * through one answer only: a reply that the chain leaves by an answer gets its other blocks and answers back.
 */
export function messagesOf(
  conversation: readonly ChainedEntry[],
  entries: readonly ChainedEntry[],
): MessageEntry[] {
  const messages = conversation.filter(isMessage);
  const siblings = siblingsIn(entries);
  const whole = new Set<MessageEntry>();
  for (const [at, message] of messages.entries()) {
    if (whole.has(message)) continue;
    whole.add(message);
    const replyId = replyIdOf(message);
    const next = messages[at + 1];
    if (replyId === undefined || !next || !isToolAnswer(next)) continue;
    const reply = siblings.replies.get(replyId) ?? [];
    for (const part of reply) whole.add(part);
    for (const { type, id } of reply.flatMap(blocksOf)) {
      const answer = type === 'tool_use' ? siblings.answers.get(id) : undefined;
      if (answer) whole.add(answer);
    }
  }
  return [...whole];
}

function siblingsIn(entries: readonly ChainedEntry[]): {
  replies: Map<string, MessageEntry[]>;
  answers: Map<unknown, MessageEntry>;
} {
  const replies = new Map<string, MessageEntry[]>();
  const answers = new Map<unknown, MessageEntry>();
  for (const entry of entries) {
    if (!isMessage(entry)) continue;
    const replyId = replyIdOf(entry);
    if (replyId !== undefined) {
      const blocks = replies.get(replyId);
      if (blocks) blocks.push(entry);
      else replies.set(replyId, [entry]);
    } else if (entry.type === 'user') {
      for (const { type, tool_use_id: id } of blocksOf(entry))
        if (type === 'tool_result') answers.set(id, entry);
    }
  }
  return { replies, answers };
}
