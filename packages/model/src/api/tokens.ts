import { createHash } from 'node:crypto';
import { blocksOf, type CountTokensRequest } from './request.ts';

const CHARS_PER_TOKEN = 4;
/** What an image counts, whatever its size: its base64 text says nothing about its cost. */
const IMAGE_TOKENS = 1_500;
/** Cached prefixes kept; the oldest is forgotten first. */
export const PROMPT_CACHE_LIMIT = 10_000;

/** The stand-in tokenizer: four characters a token, rounded up. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

/** The input side of a reply's `usage`. */
export interface InputUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

interface Segment {
  readonly text: string;
  readonly tokens: number;
  readonly breakpoint: boolean;
}

function segmentOf(label: string, value: Readonly<Record<string, unknown>>): Segment {
  const { cache_control: cacheControl, ...rest } = value;
  const text = JSON.stringify(rest);
  const tokens =
    rest['type'] === 'text' && typeof rest['text'] === 'string'
      ? countTokens(rest['text'])
      : rest['type'] === 'image'
        ? IMAGE_TOKENS
        : countTokens(text);
  return { text: `${label} ${text}`, tokens, breakpoint: Boolean(cacheControl) };
}

/** The prompt in the order in which the API caches it: tools, system, messages. */
function segmentsOf(request: CountTokensRequest): Segment[] {
  const segments = [
    ...(request.tools ?? []).map((tool) => segmentOf('tool', tool)),
    ...blocksOf(request.system).map((block) => segmentOf('system', block)),
    ...request.messages.flatMap((message) =>
      blocksOf(message.content).map((block) => segmentOf(message.role, block)),
    ),
  ];
  const last = segments.pop();
  if (last) segments.push({ ...last, breakpoint: last.breakpoint || Boolean(request['cache_control']) });
  return segments;
}

const total = (segments: readonly Segment[]) => segments.reduce((sum, segment) => sum + segment.tokens, 0);

/** Every input token of a request, cached or not: what `count_tokens` answers. */
export function countInputTokens(request: CountTokensRequest): number {
  return total(segmentsOf(request));
}

/** Remembers cached prefixes, so that a later request with the same prefix reads what an earlier one wrote. */
export class PromptCache {
  readonly #prefixes = new Set<string>();

  /** Splits a request's input into read, written and plain tokens, and remembers its breakpoints. */
  account(request: CountTokensRequest): InputUsage {
    const segments = segmentsOf(request);
    const cacheable = segments.findLastIndex((segment) => segment.breakpoint) + 1;
    let prefix = '';
    let read = 0;
    const written: string[] = [];
    for (const [i, segment] of segments.slice(0, cacheable).entries()) {
      prefix = createHash('sha256').update(prefix).update(segment.text).digest('base64');
      if (this.#prefixes.has(prefix)) read = i + 1;
      if (segment.breakpoint) written.push(prefix);
    }
    for (const key of written) this.#remember(key);
    return {
      input_tokens: total(segments.slice(cacheable)),
      cache_creation_input_tokens: total(segments.slice(read, cacheable)),
      cache_read_input_tokens: total(segments.slice(0, read)),
    };
  }

  clear(): void {
    this.#prefixes.clear();
  }

  #remember(prefix: string): void {
    this.#prefixes.delete(prefix);
    this.#prefixes.add(prefix);
    if (this.#prefixes.size <= PROMPT_CACHE_LIMIT) return;
    for (const oldest of this.#prefixes) {
      this.#prefixes.delete(oldest);
      return;
    }
  }
}
