import * as z from 'zod';
import { parseSse, type SseEvent } from './sse.ts';

const block = z.looseObject({ type: z.string() });
const usage = z.looseObject({
  input_tokens: z.number().optional(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  output_tokens: z.number().optional(),
});
const message = z.looseObject({
  content: z.array(block),
  stop_reason: z.string().nullable(),
  usage,
});

const messageStart = z.looseObject({ type: z.literal('message_start'), message });
const blockStart = z.looseObject({
  type: z.literal('content_block_start'),
  index: z.number(),
  content_block: block,
});
const blockDelta = z.looseObject({
  type: z.literal('content_block_delta'),
  index: z.number(),
  delta: z.looseObject({
    type: z.string(),
    text: z.string().optional(),
    thinking: z.string().optional(),
    signature: z.string().optional(),
    partial_json: z.string().optional(),
  }),
});
const messageDelta = z.looseObject({
  type: z.literal('message_delta'),
  delta: z.looseObject({ stop_reason: z.string().nullish() }),
  usage: usage.optional(),
});
const known = z.discriminatedUnion('type', [
  messageStart,
  blockStart,
  blockDelta,
  messageDelta,
  z.looseObject({ type: z.literal('message_stop') }),
]);

/** A reply of a real API, as far as a recording needs it. */
export type WholeMessage = z.infer<typeof message>;

/** The reply in an answer of the API, streamed or not; undefined when it is none, or not whole. */
export function parseReply(text: string, contentType: string): WholeMessage | undefined {
  if (contentType.includes('text/event-stream')) return joinEvents(parseSse(text));
  try {
    return message.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

type Delta = z.infer<typeof blockDelta>['delta'];
type Block = z.infer<typeof block>;

function applyDelta(target: Block, delta: Delta, json: string[]): void {
  const append = (key: 'text' | 'thinking' | 'signature', more: string) => {
    target[key] = `${typeof target[key] === 'string' ? target[key] : ''}${more}`;
  };
  if (delta.text !== undefined) append('text', delta.text);
  if (delta.thinking !== undefined) append('thinking', delta.thinking);
  if (delta.signature !== undefined) append('signature', delta.signature);
  if (delta.partial_json !== undefined) json.push(delta.partial_json);
}

/** Puts a streamed reply together; undefined when the stream did not reach its end. */
function joinEvents(events: readonly SseEvent[]): WholeMessage | undefined {
  let whole: WholeMessage | undefined;
  const blocks: Block[] = [];
  const json: string[][] = [];
  for (const event of events) {
    const parsed = known.safeParse(event);
    if (!parsed.success) continue;
    const { data } = parsed;
    switch (data.type) {
      case 'message_start':
        whole = data.message;
        break;
      case 'content_block_start':
        blocks[data.index] = { ...data.content_block };
        json[data.index] = [];
        break;
      case 'content_block_delta': {
        const target = blocks[data.index];
        if (target) applyDelta(target, data.delta, json[data.index] ?? []);
        break;
      }
      case 'message_delta':
        if (whole) {
          whole = {
            ...whole,
            stop_reason: data.delta.stop_reason ?? null,
            usage: { ...whole.usage, ...data.usage },
          };
        }
        break;
      case 'message_stop': {
        const content = blocks.map((one, i) => withInput(one, json[i]?.join('') ?? ''));
        return whole && { ...whole, content };
      }
    }
  }
  return undefined;
}

/** A reply cut short by `max_tokens` ends in half an input: it is kept as the empty one it started with. */
function withInput(one: Block, json: string): Block {
  try {
    return json === '' ? one : { ...one, input: JSON.parse(json) };
  } catch {
    return one;
  }
}
