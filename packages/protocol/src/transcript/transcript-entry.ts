import { isJsonObject, type JsonObject } from '../json-fields.ts';
import { parseJson } from '../line/json-depth.ts';

/** A line of a transcript. What is not known here is kept as it is. */
export interface TranscriptEntry extends JsonObject {
  type: string;
}

/** A line that has its place in the conversation: each names the one before it. */
export interface ChainedEntry extends TranscriptEntry {
  uuid: string;
  parentUuid: string | null;
}

/** A line of the conversation itself. */
export interface MessageEntry extends ChainedEntry {
  type: 'user' | 'assistant';
  message: { role: string; content: string | JsonObject[]; id?: unknown; model?: unknown };
}

/** Checked once, where a line is read: nothing inside looks at these fields again. */
export function isEntry(value: unknown): value is TranscriptEntry {
  return isJsonObject(value) && typeof value.type === 'string';
}

export function isChained(entry: TranscriptEntry): entry is ChainedEntry {
  const { uuid, parentUuid } = entry;
  return (
    typeof uuid === 'string' &&
    (typeof parentUuid === 'string' || parentUuid === null) &&
    entry.isSidechain !== true
  );
}

export function isMessage(entry: TranscriptEntry): entry is MessageEntry {
  if (entry.type !== 'user' && entry.type !== 'assistant') return false;
  if (!isChained(entry) || !isJsonObject(entry.message)) return false;
  const { role, content } = entry.message;
  return role === entry.type && (typeof content === 'string' || isBlockList(content));
}

/** The blocks of a message; plain text is one block. */
export function blocksOf(entry: MessageEntry): JsonObject[] {
  const { content } = entry.message;
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Whether this is what a tool answered rather than what somebody said. */
export function isToolAnswer(entry: MessageEntry): boolean {
  return entry.type === 'user' && blocksOf(entry).some(({ type }) => type === 'tool_result');
}

/** Replies are stored block by block; those of one reply share this id. */
export function replyIdOf(entry: MessageEntry): string | undefined {
  const { id } = entry.message;
  return entry.type === 'assistant' && typeof id === 'string' ? id : undefined;
}

function isBlockList(value: unknown): value is JsonObject[] {
  return (
    Array.isArray(value) && value.every((block) => isJsonObject(block) && typeof block.type === 'string')
  );
}

/** An entry from one line of text. */
export function parseEntry(text: string): TranscriptEntry | undefined {
  try {
    const value: unknown = parseJson(text);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
