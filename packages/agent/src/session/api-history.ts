import type Anthropic from '@anthropic-ai/sdk';
import { blocksOf, type JsonObject, type MessageEntry, replyIdOf } from '@signalbox/protocol';

/** What the model reads where a call was never answered: the agent ended before. */
const NEVER_ANSWERED = 'The tool was not run to its end: the session was interrupted.';

/**
 * The history that the Messages API accepts: replies whole, every call answered in the message after it, no
 * answer without a call. An API that finds one of these broken refuses the conversation from then on.
 */
export function apiHistory(messages: readonly MessageEntry[]): Anthropic.MessageParam[] {
  const history = new HistoryBuilder();
  for (const entry of messages) {
    if (isForEyesOnly(entry)) continue;
    const blocks = blocksOf(entry).filter(isAccepted);
    if (entry.type === 'assistant') history.addReply(replyIdOf(entry), blocks);
    else history.addUser(blocks);
  }
  return asParams(history.finish());
}

interface HistoryMessage {
  role: 'user' | 'assistant';
  content: JsonObject[];
}

class HistoryBuilder {
  readonly #messages: HistoryMessage[] = [];
  #reply: { id: string | undefined; content: JsonObject[] } | undefined;
  /** The calls of the reply, in order, with what answered them so far. */
  readonly #calls = new Map<unknown, JsonObject | undefined>();

  addReply(id: string | undefined, blocks: readonly JsonObject[]): void {
    // A history begins with the user.
    if (this.#messages.length === 0) return;
    if (!this.#reply || id === undefined || this.#reply.id !== id) {
      this.#endReply();
      this.#reply = { id, content: [] };
    }
    for (const block of blocks) {
      this.#reply.content.push(block);
      if (block.type === 'tool_use') this.#calls.set(block.id, undefined);
    }
  }

  addUser(blocks: readonly JsonObject[]): void {
    const content = blocks.filter(({ type }) => type !== 'tool_result');
    for (const block of blocks) {
      if (block.type === 'tool_result' && this.#calls.has(block.tool_use_id)) {
        this.#calls.set(block.tool_use_id, block);
      }
    }
    if (content.length === 0) return;
    this.#endReply();
    this.#messages.push({ role: 'user', content });
  }

  finish(): readonly HistoryMessage[] {
    this.#endReply();
    return this.#messages;
  }

  #endReply(): void {
    const content = this.#reply?.content ?? [];
    if (content.some(saysSomething)) this.#messages.push({ role: 'assistant', content });
    const answers = [...this.#calls].map(([id, answer]) => answer ?? notAnswered(id));
    if (answers.length > 0) this.#messages.push({ role: 'user', content: answers });
    this.#calls.clear();
    this.#reply = undefined;
  }
}

function notAnswered(id: unknown): JsonObject {
  return { type: 'tool_result', tool_use_id: id, content: NEVER_ANSWERED, is_error: true };
}

/** Errors of the API are told as replies, and some notes are for the reader of the transcript. */
function isForEyesOnly(entry: MessageEntry): boolean {
  if (entry.isApiErrorMessage === true) return true;
  return entry.isVisibleInTranscriptOnly === true && entry.isCompactSummary !== true;
}

/** The API refuses empty text, and thinking that it did not sign. */
function isAccepted(block: JsonObject): boolean {
  if (block.type === 'text') return block.text !== '';
  if (block.type === 'thinking') return typeof block.signature === 'string' && block.signature !== '';
  return true;
}

/** A reply that was broken off while it was thinking is none. */
function saysSomething(block: JsonObject): boolean {
  return block.type !== 'thinking' && block.type !== 'redacted_thinking';
}

/** What the API said, and was told, goes back to it as it is. */
function asParams(history: readonly HistoryMessage[]): Anthropic.MessageParam[];
function asParams(history: unknown): unknown {
  return history;
}
