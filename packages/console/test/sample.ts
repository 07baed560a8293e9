import type { Author, EntryMessage } from '@signalbox/protocol/hub';

export const AGENT: Author = { by: 'agent' };
export const ADA: Author = { by: 'person', name: 'Ada', device: 'laptop' };

/** An entry of a record. */
export function entry(seq: number, message: unknown, author: Author = AGENT): EntryMessage {
  return { type: 'sdk-message', session: 's', seq, check: seq, time: seq * 1000, author, message };
}

/** What somebody wrote. */
export function prompt(words: string, uuid = words): unknown {
  return { type: 'user', message: { role: 'user', content: words }, parent_tool_use_id: null, uuid };
}

/** A block of a reply; those of one reply have the same id. */
export function said(block: unknown, id = 'm1', parent: string | null = null): unknown {
  return { type: 'assistant', message: { id, content: [block] }, parent_tool_use_id: parent };
}

export function text(words: string): unknown {
  return { type: 'text', text: words };
}

export function call(id: string, name: string, input: unknown = {}): unknown {
  return { type: 'tool_use', id, name, input };
}

/** What a tool answered. */
export function answered(id: string, content: unknown, isError = false): unknown {
  const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError };
  return { type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null };
}

export function asked(request: string, tool: string): unknown {
  return {
    type: 'control_request',
    request_id: request,
    request: { subtype: 'can_use_tool', tool_use_id: tool, tool_name: 'Bash', input: {} },
  };
}

export function decided(request: string, behavior: 'allow' | 'deny'): unknown {
  const response = { subtype: 'success', request_id: request, response: { behavior } };
  return { type: 'control_response', response };
}

/** A part of a reply that is being written. */
export function streamed(event: unknown, parent: string | null = null): unknown {
  return { type: 'stream_event', event, parent_tool_use_id: parent };
}

/** The events of a text block that is not over yet. */
export function writing(words: readonly string[], index = 0, id = 'm1'): unknown[] {
  return [
    ...(index === 0 ? [{ type: 'message_start', message: { id } }] : []),
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    ...words.map((word) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'text_delta', text: word },
    })),
  ].map((event) => streamed(event));
}
