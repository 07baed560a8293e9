import { LIMITS, type Limit } from '@signalbox/protocol';
import type { Exchange } from '../http/exchange.ts';
import { RequestInvalidError } from './api-errors.ts';

/**
 * The body as text and as a value; none is undefined. Raises `CONTENT_TYPE` for what a form of another site could
 * send, `BODY_TOO_LONG` and `REQUEST_INVALID`.
 */
export async function bodyIn(
  exchange: Exchange,
  limit: Limit = LIMITS.bodyBytes,
): Promise<{ text: string; value: unknown }> {
  const text = await exchange.text(limit);
  if (text === '') return { text, value: undefined };
  exchange.expectType('application/json');
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    throw new RequestInvalidError('the body is not JSON');
  }
}
