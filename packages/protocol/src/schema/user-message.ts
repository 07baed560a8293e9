import { contentBlock } from './content-block.ts';
import { envelope, parentToolUse, speaker } from './envelope.ts';
import {
  anyObject,
  anything,
  choice,
  either,
  expected,
  flag,
  type Inbound,
  list,
  literal,
  object,
  optional,
  text,
} from './wire.ts';

const message = object({ role: literal('user'), content: either(text, list(contentBlock)) });

/** Host to agent: a prompt. */
export const promptMessage = object({
  type: literal('user'),
  message,
  ...parentToolUse,
  session_id: expected(text),
  uuid: optional(text),
  isSynthetic: optional(flag),
  priority: optional(choice(['now', 'next', 'later'])),
  timestamp: optional(text),
  client_composed: optional(flag),
  origin: optional(anyObject),
});

/** Agent to host: tool results, replays of prompts, synthetic messages. */
export const userMessage = object({
  type: literal('user'),
  message,
  ...parentToolUse,
  ...speaker,
  ...envelope,
  tool_use_result: optional(anything),
  tool_result_meta: optional(list(anyObject)),
  isReplay: optional(flag),
  isSynthetic: optional(flag),
  timestamp: optional(text),
  origin: optional(anyObject),
});

/** A prompt on its way to an agent. */
export type PromptMessage = Inbound<typeof promptMessage>;

/** A user message that an agent reports: a tool's result, a replayed prompt, a note to itself. */
export type UserMessage = Inbound<typeof userMessage>;
