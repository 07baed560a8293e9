import { type JsonObject, numberAt, objectAt, textAt } from '@signalbox/protocol';
import type { CallItem, Item } from './item.ts';

/** The thread that speaks for the session itself. */
export const MAIN_THREAD = '';

interface LiveBlock {
  block: JsonObject;
  text: string;
}

interface LiveReply {
  id: string;
  blocks: Map<number, LiveBlock>;
}

/** Replies that are being written, by the call whose sub-agent writes them: gone as soon as the record has them. */
export class LiveReplies {
  readonly #threads = new Map<string, LiveReply>();

  /** The calls whose sub-agents write at the moment. */
  get threads(): Iterable<string> {
    return this.#threads.keys();
  }

  /** Take a `stream_event`. */
  hear(message: unknown): void {
    const thread = textAt(message, 'parent_tool_use_id');
    const event = objectAt(message, 'event');
    const index = numberAt(event, 'index') ?? 0;
    switch (event.type) {
      case 'message_start':
        this.#threads.set(thread, { id: textAt(event.message, 'id'), blocks: new Map() });
        return;
      case 'content_block_start': {
        const block = objectAt(event, 'content_block');
        const text = textAt(block, 'text') || textAt(block, 'thinking');
        this.#replyOf(thread).blocks.set(index, { block, text });
        return;
      }
      case 'content_block_delta': {
        // Without its beginning a block would be shown in halves; the whole one follows in the record.
        const block = this.#threads.get(thread)?.blocks.get(index);
        const { delta } = event;
        if (block) block.text += textAt(delta, 'text') || textAt(delta, 'thinking');
        return;
      }
      default:
    }
  }

  /** The record has `count` more blocks of a reply. */
  settle(thread: string, id: string, count: number): void {
    const reply = this.#threads.get(thread);
    // The record lags behind by a moment: the next reply may have begun already.
    if (!reply || (reply.id !== '' && reply.id !== id)) return;
    const recorded = [...reply.blocks.keys()].toSorted((a, b) => a - b).slice(0, count);
    for (const index of recorded) reply.blocks.delete(index);
  }

  /** Nobody writes any more. */
  clear(): void {
    this.#threads.clear();
  }

  /** What is being written in a thread. */
  items(thread: string): Item[] {
    const reply = this.#threads.get(thread);
    if (!reply) return [];
    return [...reply.blocks]
      .filter(([, { block, text }]) => text !== '' || block.type === 'tool_use')
      .map(([index, live]) => liveItem(`${reply.id || `live-${thread}`}:${index}`, live));
  }

  #replyOf(thread: string): LiveReply {
    const reply = this.#threads.get(thread) ?? { id: '', blocks: new Map<number, LiveBlock>() };
    this.#threads.set(thread, reply);
    return reply;
  }
}

function liveItem(key: string, { block, text }: LiveBlock): Item {
  if (block.type === 'tool_use')
    return { ...newCall(textAt(block, 'id'), textAt(block, 'name'), {}), state: 'writing' };
  return { kind: block.type === 'thinking' ? 'thinking' : 'text', key, seq: undefined, text, isLive: true };
}

/** A call that has just been made. */
export function newCall(
  id: string,
  name: string,
  input: JsonObject,
  seq?: number,
  startedAt?: number,
): CallItem {
  return {
    kind: 'call',
    key: id,
    id,
    seq,
    name,
    input,
    state: 'running',
    result: undefined,
    startedAt,
    endedAt: undefined,
    decidedBy: undefined,
    children: [],
  };
}
