import { JsonTooDeepError, LIMITS, type Limit, parseJson } from '@signalbox/protocol';
import type { Exchange } from '../http/exchange.ts';
import { RequestInvalidError } from './api-errors.ts';

/**
 * The body as text and as a value; none is undefined. Raises `CONTENT_TYPE` for what a form of another site could
 * send, `BODY_TOO_LONG`, `JSON_TOO_DEEP` and `REQUEST_INVALID`.
 */
export async function bodyIn(
  exchange: Exchange,
  limit: Limit = LIMITS.bodyBytes,
): Promise<{ text: string; value: unknown }> {
  const text = await exchange.text(limit);
  if (text === '') return { text, value: undefined };
  exchange.expectType('application/json');
  try {
    return { text, value: parseJson(text, LIMITS.contentDepth) };
  } catch (error) {
    if (error instanceof JsonTooDeepError) throw error;
    throw new RequestInvalidError('the body is not JSON');
  }
}
