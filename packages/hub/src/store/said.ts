import { isJsonObject, LIMITS, LineHead, listAt, objectAt, parseJson, textAt } from '@signalbox/protocol';
import type { SearchHit } from '@signalbox/protocol/hub';

/** A piece of an entry that can be searched: words, the call of a tool, or its result. */
export interface Said {
  kind: SearchHit['kind'];
  text: string;
  /** The name of the tool that is called. */
  tool?: string;
  /** The id of a call, by which its result is told to be of the same tool. */
  call?: string;
  /** They begin a turn. */
  isPrompt?: boolean;
}

/** What marks the hits of an excerpt; no text has them. */
export const MATCH_START = '\u0002';
export const MATCH_END = '\u0003';

/** Characters that say nothing; a NUL would end a text. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f]/g;

/** A text that can be stored, and looked for, as a whole. */
export function withoutControls(text: string): string {
  return text.replace(CONTROL, ' ');
}

/** Longer lines are not read: to find 16,384 characters in 60 MB took four times as much memory. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** What people and agents said in a line of the record, up to a limit; nothing of a line that cannot be read. */
export function saidIn(bytes: Uint8Array): Said[] {
  if (bytes.length > MAX_LINE_BYTES) return [];
  const { type } = new LineHead(bytes);
  if (type !== 'user' && type !== 'assistant') return [];
  try {
    const message = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
    // An agent that repeats a prompt: the record has it from whoever said it.
    if (isJsonObject(message) && message.isReplay === true) return [];
    const pieces = withinLimit(piecesOf(objectAt(message, 'message').content));
    const [first] = pieces;
    if (first && type === 'user' && isPrompt(message, first)) first.isPrompt = true;
    return pieces;
  } catch {
    return [];
  }
}

/** Agents say of themselves, too, what a user message has: what a command printed, or that they were interrupted. */
function isPrompt(message: unknown, { kind, text }: Said): boolean {
  if (kind !== 'said' || /^(?:<local-command-|\[Request interrupted)/.test(text)) return false;
  return (
    isJsonObject(message) && message.isSynthetic !== true && textAt(message, 'parent_tool_use_id') === ''
  );
}

function piecesOf(content: unknown): Said[] {
  if (typeof content === 'string') return [{ kind: 'said', text: content }];
  return Array.isArray(content) ? content.flatMap(pieceOf) : [];
}

function pieceOf(block: unknown): Said[] {
  switch (textAt(block, 'type')) {
    case 'text':
      return [{ kind: 'said', text: textAt(block, 'text') }];
    case 'tool_use': {
      const tool = textAt(block, 'name');
      const text = [tool, ...textsIn(objectAt(block, 'input'))].join('\n');
      return [{ kind: 'call', text, tool, call: textAt(block, 'id') }];
    }
    case 'tool_result':
      return [{ kind: 'result', text: resultText(block), call: textAt(block, 'tool_use_id') }];
    default:
      return [];
  }
}

function resultText(block: unknown): string {
  const blocks = listAt(block, 'content');
  return blocks.length === 0
    ? textAt(block, 'content')
    : blocks.map((part) => textAt(part, 'text')).join('\n');
}

/** All texts in a value, in their order. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function withinLimit(pieces: readonly Said[]): Said[] {
  let room = LIMITS.searchedLength.most;
  const kept: Said[] = [];
  for (const piece of pieces) {
    const text = withoutControls(piece.text.slice(0, room)).trim();
    room -= text.length;
    if (text !== '') kept.push({ ...piece, text });
  }
  return kept;
}
