import {
  blocksOf,
  isMessage,
  type MessageEntry,
  type OutboundAgentMessage,
  replyIdOf,
} from '@signalbox/protocol';
import type { LoadedSession } from './load-session.ts';

/** A call that a loaded conversation ends with, and the message that makes it. */
export interface OpenCall {
  readonly entry: MessageEntry;
  readonly call: { readonly id: string; readonly name: string; readonly input: unknown };
}

/** The calls of the last reply that nothing answers, by their ids: the agent ended before, perhaps while it asked. */
export function openCalls(loaded: LoadedSession | undefined): Map<string, OpenCall> {
  const messages = loaded?.entries.filter(isMessage) ?? [];
  const reply = messages.findLast(({ type }) => type === 'assistant');
  const from = messages.findLastIndex((entry) => entry.type === 'user' && !isResult(entry));
  const open = new Map<string, OpenCall>();
  for (const entry of messages.slice(from + 1)) {
    for (const block of blocksOf(entry)) {
      if (block.type === 'tool_result') open.delete(String(block.tool_use_id));
      if (block.type !== 'tool_use' || !reply || replyIdOf(entry) !== replyIdOf(reply)) continue;
      const call = { id: String(block.id), name: String(block.name), input: block.input };
      open.set(call.id, { entry, call });
    }
  }
  return open;
}

/** The message that makes the call, for a host that may not have it: the model's own words, as they were written down. */
export function messageOfCall(open: OpenCall, session_id: string): OutboundAgentMessage;
export function messageOfCall({ entry: { message, uuid } }: OpenCall, session_id: string): unknown {
  return { type: 'assistant', message, parent_tool_use_id: null, session_id, uuid };
}

function isResult(entry: MessageEntry): boolean {
  return blocksOf(entry).some(({ type }) => type === 'tool_result');
}
