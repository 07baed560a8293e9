import type { Exchange } from '../http/exchange.ts';
import { MAX_PROMPT_BYTES } from '../store/prompt.ts';
import { RequestInvalidError } from './api-errors.ts';

/** The longest body of a request: a prompt with its images. */
export const MAX_BODY_BYTES = MAX_PROMPT_BYTES + 64 * 1024;

/**
 * The body as text and as a value; none is undefined. Raises `CONTENT_TYPE` for what a form of another site could
 * send, `BODY_TOO_LONG` and `REQUEST_INVALID`.
 */
export async function bodyIn(
  exchange: Exchange,
  maxBytes = MAX_BODY_BYTES,
): Promise<{ text: string; value: unknown }> {
  const text = await exchange.text(maxBytes);
  if (text === '') return { text, value: undefined };
  exchange.expectType('application/json');
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    throw new RequestInvalidError('the body is not JSON');
  }
}
