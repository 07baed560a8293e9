import * as z from 'zod';
import type { PromptMessage } from '../../schema/user-message.ts';
import { author } from './author.ts';
import { sessionId, time } from './values.ts';

/** What a person wrote: text, or blocks with images. */
export type PromptContent = PromptMessage['message']['content'];

const anyContent = z
  .union([z.string().min(1), z.array(z.looseObject({ type: z.string() })).min(1)])
  .describe('text, or content blocks with images');

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- which blocks there are is known to the messages of the wire, where the hub checks them
export const content = anyContent as unknown as z.ZodType<PromptContent, PromptContent>;

export const delivery = z
  .enum(['queue', 'steer'])
  .describe('queue waits for its turn, steer goes into the turn that runs');

/** Half of a character: what has one is not what it was when a store gives it back. */
const HALF = /\p{Surrogate}/u;

export const clientId = z
  .string()
  .min(1)
  .max(200)
  .refine((id) => !id.includes('\u0000') && !HALF.test(id), 'no store can keep this id')
  .describe('your own name for it: sent again, it is the same one');

export const prompt = z.object({
  id: z.string().describe('also the uuid of the message to the agent, so that a repeat is harmless'),
  session: sessionId,
  clientId: z.string().describe('chosen by whoever sent it; the same one names the same prompt'),
  author,
  content,
  delivery,
  state: z
    .enum(['waiting', 'taken', 'delivered', 'cancelled'])
    .describe('waiting can be changed; taken is on its way, and may be sent again; delivered has arrived'),
  admittedAt: time,
  place: z.number().describe('prompts that wait go by it, the lowest first'),
});

export const newPrompt = z.strictObject({ clientId, content, delivery: delivery.default('queue') });

export const promptChange = z.strictObject({
  content: content.exactOptional(),
  delivery: delivery.exactOptional(),
  before: z
    .string()
    .nullable()
    .exactOptional()
    .describe('moves it before that one of the prompts that wait, or with null behind all of them'),
});

/** `queue` waits for its turn; `steer` goes into the turn that runs. */
export type PromptDelivery = z.infer<typeof delivery>;

/** A prompt that was admitted. */
export type Prompt = z.infer<typeof prompt>;

/**
 * `waiting` can be changed; `taken` is on its way to the agent and may be sent again with its uuid;
 * `delivered` has arrived.
 */
export type PromptState = Prompt['state'];
