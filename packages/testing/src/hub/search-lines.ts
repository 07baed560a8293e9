import type { Append } from '@signalbox/hub/store';

type NewLine = Append['lines'][number];

// Lines of a conversation, as the record has them.

function line(type: 'user' | 'assistant', content: unknown, others: object = {}): NewLine {
  return { bytes: Buffer.from(JSON.stringify({ type, message: { role: type, content }, ...others })) };
}

/** What a person asks. */
export function prompt(text: string): NewLine {
  return line('user', text);
}

/** What an agent says. */
export function reply(text: string): NewLine {
  return line('assistant', [{ type: 'text', text }]);
}

export function toolCall(id: string, name: string, input: object): NewLine {
  return line('assistant', [{ type: 'tool_use', id, name, input }]);
}

export function toolResult(id: string, content: unknown): NewLine {
  return line('user', [{ type: 'tool_result', tool_use_id: id, content }]);
}

/** A prompt that an agent repeats. */
export function repeatedPrompt(text: string): NewLine {
  return line('user', text, { isReplay: true });
}
