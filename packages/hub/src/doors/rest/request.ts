import { LIMITS, type Limit, SignalboxError } from '@signalbox/protocol';
import { parseSaid } from '../../base/json-values.ts';
import { RequestInvalidError } from '../../base/request-errors.ts';
import type { Exchange } from '../http/exchange.ts';

/**
 * The body as text and as a value; none is undefined. Raises `CONTENT_TYPE` for what a form of another site could
 * send, `BODY_TOO_LONG`, `BODY_TOO_SLOW`, `TOO_MANY_VALUES`, `JSON_TOO_DEEP` and `REQUEST_INVALID`.
 */
export async function bodyIn(
  exchange: Exchange,
  limit: Limit = LIMITS.requestBytes,
  from: 'device' | 'anybody' = 'device',
): Promise<{ text: string; value: unknown }> {
  const text = await exchange.text(limit, from);
  if (text === '') return { text, value: undefined };
  exchange.expectType('application/json');
  try {
    return { text, value: parseSaid(text) };
  } catch (error) {
    if (error instanceof SignalboxError) throw error;
    throw new RequestInvalidError('the body is not JSON');
  }
}
