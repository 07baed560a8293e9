import type { Conversation } from '../api/conversation.ts';
import type { MessagesRequest } from '../api/request.ts';

/** An answer to a request that an agent makes on the side, which no script should have to know about. */
export interface BackgroundAnswer {
  readonly name: string;
  readonly text: string;
}

const TITLE_WORDS = 6;

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** A value that a JSON schema accepts, with `title` for its strings. */
function sample(schema: unknown, title: string): unknown {
  const { type, properties, anyOf, enum: values } = record(schema);
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(anyOf)) return sample(anyOf[0], title);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(record(properties)).map(([key, value]) => [key, sample(value, title)]),
      );
    case 'array':
      return [];
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return 0;
    case 'null':
      return null;
    default:
      return title;
  }
}

function titleOf(text: string): string {
  const spoken = /<session>([\s\S]*?)<\/session>/.exec(text)?.[1] ?? text;
  return spoken.trim().split(/\s+/).slice(0, TITLE_WORDS).join(' ') || 'Scripted session';
}

/** Recognises the side requests of real agents: probes, titles, suggestions, path extraction, summaries. */
export function answerBackground(
  request: MessagesRequest,
  conversation: Conversation,
): BackgroundAnswer | undefined {
  const { system, lastUserText, tools } = conversation;
  const format = record(record(request['output_config'])['format']);
  if (request.max_tokens === 1) return { name: 'probe', text: 'ok' };
  if (tools.length === 0 && format['type'] === 'json_schema') {
    return { name: 'title', text: JSON.stringify(sample(format['schema'], titleOf(lastUserText))) };
  }
  if (lastUserText.startsWith('[SUGGESTION MODE')) return { name: 'suggestion', text: 'go on' };
  if (lastUserText.includes('command prefix detection')) return { name: 'command prefix', text: 'none' };
  if (system.includes('Extract any file paths that this command')) {
    return {
      name: 'file paths',
      text: '<is_displaying_contents>false</is_displaying_contents>\n<filepaths>\n</filepaths>',
    };
  }
  if (/[Cc]reate a detailed summary of (?:the|this) conversation/.test(lastUserText)) {
    const text = `<summary>\nA scripted session of ${conversation.replies} replies so far.\n</summary>`;
    return { name: 'summary', text };
  }
  return undefined;
}
