import { hasMoreValues, isTooDeep, JsonTooDeepError, LIMITS, parseJson } from '@signalbox/protocol';
import { TooManyValuesError } from './request-errors.ts';

/** What a client says. Raises `JSON_TOO_DEEP`, `TOO_MANY_VALUES`, and `SyntaxError` like `JSON.parse`. */
export function parseSaid(text: string): unknown {
  if (hasMoreValues(text, LIMITS.bodyValues.most))
    throw isTooDeep(Buffer.from(text), LIMITS.contentDepth)
      ? new JsonTooDeepError(LIMITS.contentDepth)
      : new TooManyValuesError();
  return parseJson(text, LIMITS.contentDepth);
}
