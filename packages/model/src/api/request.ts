import * as z from 'zod';
import { ApiError } from './api-error.ts';

const block = z.looseObject({ type: z.string() });

const message = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(block)]),
});

const countTokensRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(block)]).optional(),
  tools: z.array(z.looseObject({ name: z.string().optional() })).optional(),
});

const messagesRequest = countTokensRequest.extend({
  max_tokens: z.int().min(1),
  stream: z.boolean().optional(),
});

/** A content block as a client sent it: only `type` is certain. */
export type RequestBlock = z.infer<typeof block>;
export type RequestMessage = z.infer<typeof message>;
/** The body of `POST /v1/messages/count_tokens`. */
export type CountTokensRequest = z.infer<typeof countTokensRequest>;
/** The body of `POST /v1/messages`. */
export type MessagesRequest = z.infer<typeof messagesRequest>;

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.join('.') || 'body';
  const missing = issue?.message.endsWith('received undefined');
  throw new ApiError(400, `${path}: ${missing ? 'Field required' : (issue?.message ?? 'Invalid input')}`);
}

export function parseMessagesRequest(body: unknown): MessagesRequest {
  return parse(messagesRequest, body);
}

export function parseCountTokensRequest(body: unknown): CountTokensRequest {
  return parse(countTokensRequest, body);
}

/** Blocks of a message or system prompt; a bare string is one text block, as the API treats it. */
export function blocksOf(content: string | RequestBlock[] | undefined): RequestBlock[] {
  if (content === undefined) return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
