import { envelope } from './envelope.ts';
import { anyObject, list, literal, object, optional, text } from './wire.ts';

/** News of the conversation as a whole: its queue, its restart, what could come next. */
export const conversationMessages = {
  prompt_suggestion: object({ type: literal('prompt_suggestion'), suggestion: text, ...envelope }),
  conversation_reset: object({
    type: literal('conversation_reset'),
    new_conversation_id: optional(text),
    ...envelope,
  }),
  command_lifecycle: object({
    type: literal('command_lifecycle'),
    command_uuid: text,
    state: text,
    ...envelope,
  }),
  /** A copy of lines that were written to a transcript, for a host that asked for it. */
  transcript_mirror: object({
    type: literal('transcript_mirror'),
    filePath: text,
    entries: list(anyObject),
  }),
};
