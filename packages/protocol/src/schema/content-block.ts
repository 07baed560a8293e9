import { oneOf } from './one-of.ts';
import {
  anyObject,
  anything,
  echoed,
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

const textBlock = object({
  type: literal('text'),
  text,
  citations: optional(anything),
  cache_control: optional(anyObject),
});
const imageBlock = object({ type: literal('image'), source: anyObject, cache_control: optional(anyObject) });
const documentBlock = object({
  type: literal('document'),
  source: anyObject,
  title: optional(text),
  context: optional(text),
  citations: optional(anyObject),
  cache_control: optional(anyObject),
});

// A tool result holds no tool calls or results: a block that nests without end must not overflow the stack.
const resultBlock = oneOf('type', { text: textBlock, image: imageBlock, document: documentBlock });

const toolUseBlock = object({ type: literal('tool_use'), id: text, name: text, input: anyObject });
const toolResultBlock = object({
  type: literal('tool_result'),
  tool_use_id: text,
  content: optional(either(text, list(resultBlock))),
  is_error: optional(flag),
  cache_control: optional(anyObject),
});
const redactedThinkingBlock = object({ type: literal('redacted_thinking'), data: text });
const serverToolUseBlock = object({
  type: literal('server_tool_use'),
  id: text,
  name: text,
  input: anyObject,
});
const webSearchResultBlock = object({
  type: literal('web_search_tool_result'),
  tool_use_id: text,
  content: expected(anything),
});

const blocks = {
  text: textBlock,
  redacted_thinking: redactedThinkingBlock,
  tool_use: toolUseBlock,
  tool_result: toolResultBlock,
  image: imageBlock,
  document: documentBlock,
  server_tool_use: serverToolUseBlock,
  web_search_tool_result: webSearchResultBlock,
};

/** Echoed: blocks come from a model, a user or a tool, whose newer fields must reach the other side. */
export const contentBlock = echoed(
  oneOf('type', {
    ...blocks,
    thinking: object({ type: literal('thinking'), thinking: text, signature: text }),
  }),
);

/** A block whose stream begins: its text is empty and its signature may still be to come. */
export const startingBlock = echoed(
  oneOf('type', {
    ...blocks,
    thinking: object({ type: literal('thinking'), thinking: text, signature: expected(text) }),
  }),
);

/** A piece of a message: text, thinking, a tool call, its result. */
export type ContentBlock = Inbound<typeof contentBlock>;
