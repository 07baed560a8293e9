import { WireLine } from '@signalbox/protocol';
import type { Prompt, PromptContent, PromptState } from '@signalbox/protocol/hub';
import { storedJson } from './sql/stored-json.ts';
import { StoreUnreadableError } from './store-errors.ts';

/** A prompt whose content is JSON in a buffer that changes hands: a long one is not copied from thread to thread. */
export interface WrittenPrompt extends Omit<Prompt, 'content'> {
  content: Uint8Array<ArrayBuffer>;
}

/** What is longer is not read before somebody asks what it says: it is mostly passed on as it is. */
const LONG_CONTENT_BYTES = 256 * 1024;

/** Long prompts as they were written. */
const written = new WeakMap<Prompt, WrittenPrompt>();

/** Its content as it is stored, looked at on the thread of the store. Raises `STORE_UNREADABLE`. */
export function assertWritten(prompt: WrittenPrompt): void {
  const { content } = prompt;
  if (content.byteLength > LONG_CONTENT_BYTES && !WireLine.of(content).head().isJson)
    throw new StoreUnreadableError(nameOf(prompt));
}

/** Raises `STORE_UNREADABLE`. */
export function promptOf(packed: WrittenPrompt): Prompt {
  const { content, ...rest } = packed;
  if (content.byteLength > LONG_CONTENT_BYTES) return lazily(packed);
  return { ...rest, content: contentOf(packed) };
}

/** The same prompt in another state. */
export function withState(prompt: Prompt, state: PromptState): Prompt {
  const packed = written.get(prompt);
  return packed ? lazily({ ...packed, state }) : { ...prompt, state };
}

/** It as JSON, in pieces: the content of a long one is neither parsed nor copied for it. */
export function promptJson(prompt: Prompt): Uint8Array[] {
  const packed = written.get(prompt);
  if (!packed) return [Buffer.from(JSON.stringify(prompt))];
  const { content, ...rest } = packed;
  return [Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"content":`), content, Buffer.from('}')];
}

/** Several as a list. */
export function promptListJson(prompts: readonly Prompt[]): Uint8Array[] {
  const items = prompts.flatMap((prompt, at) => [Buffer.from(at === 0 ? '' : ','), ...promptJson(prompt)]);
  return [Buffer.from('['), ...items, Buffer.from(']')];
}

function lazily(packed: WrittenPrompt): Prompt {
  const { content: _content, ...rest } = packed;
  const prompt = {
    ...rest,
    get content() {
      return contentOf(packed);
    },
  };
  written.set(prompt, packed);
  return prompt;
}

function contentOf(prompt: WrittenPrompt): PromptContent {
  const { buffer, byteOffset, byteLength } = prompt.content;
  return storedJson(Buffer.from(buffer, byteOffset, byteLength).toString(), nameOf(prompt));
}

function nameOf({ id, session }: WrittenPrompt): string {
  return `prompt ${id} of session ${session}`;
}
