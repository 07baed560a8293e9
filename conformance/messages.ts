import type { JsonObject } from '@signalbox/protocol';

/** Reads what an agent said without taking its shape for granted. */
export function fieldsOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `assistant`, `system/init`, `result/success`, … */
export function kindOf({ type, subtype }: JsonObject): string {
  return [type, subtype].filter((word) => typeof word === 'string').join('/');
}

export function isResult(message: JsonObject): boolean {
  return message.type === 'result';
}

/** The content blocks of a message, wherever they are; plain text counts as one block. */
export function blocksOf(message: JsonObject): JsonObject[] {
  const { content } = fieldsOf(message.message);
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content).map(fieldsOf);
}

/** The content blocks of one type in many messages. */
export function blocksOfType(messages: readonly JsonObject[], type: string): JsonObject[] {
  return messages.flatMap(blocksOf).filter((block) => block.type === type);
}

/** The API's events inside of the partial messages. */
export function streamEvents(messages: readonly JsonObject[]): JsonObject[] {
  return messages.filter(({ type }) => type === 'stream_event').map(({ event }) => fieldsOf(event));
}

/** The text that partial messages make up together. */
export function streamedText(messages: readonly JsonObject[]): string {
  return streamEvents(messages)
    .map(({ delta }) => fieldsOf(delta)['text'])
    .filter((text) => typeof text === 'string')
    .join('');
}

export function isToolUse(message: JsonObject): boolean {
  return message.type === 'assistant' && blocksOf(message).some(({ type }) => type === 'tool_use');
}

/** What came of a tool call: the text the model sees, whether it is an error, and the structured result for hosts. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
  readonly blocks: readonly JsonObject[];
  readonly structured: unknown;
}

/** The results of tools, in the order of the messages. */
export function toolOutcomes(messages: readonly JsonObject[]): ToolOutcome[] {
  return messages
    .filter(({ type }) => type === 'user')
    .flatMap((message) =>
      blocksOf(message)
        .filter(({ type }) => type === 'tool_result')
        .map((block) => outcomeOf(block, message.tool_use_result)),
    );
}

function outcomeOf({ content, is_error }: JsonObject, structured: unknown): ToolOutcome {
  const blocks =
    typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(fieldsOf);
  const text = blocks.map((block) => (typeof block.text === 'string' ? block.text : '')).join('\n');
  return { text, isError: is_error === true, blocks, structured };
}
