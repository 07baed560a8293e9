import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import type { PersonAnswer } from 'signalbox/hub';

/** What a host's answer says to a hub. Undefined when it decides nothing, or nobody asks any more. */
export function answerIn(
  message: JsonObject,
  requestOf: (id: string) => JsonObject | undefined,
): { requestId: string; answer: PersonAnswer } | undefined {
  const { response } = message;
  if (!isJsonObject(response) || typeof response.request_id !== 'string') return undefined;
  const { request_id: requestId, response: said } = response;
  const request = requestOf(requestId);
  const answer = request && isJsonObject(said) ? answerFrom(said, request) : undefined;
  return answer && { requestId, answer };
}

function answerFrom(said: JsonObject, { input }: JsonObject): PersonAnswer | undefined {
  const { behavior, message, interrupt, updatedInput, updatedPermissions: rules } = said;
  if (behavior === 'deny')
    return {
      behavior,
      ...(typeof message === 'string' ? { message } : {}),
      ...(typeof interrupt === 'boolean' ? { interrupt } : {}),
    };
  if (behavior !== 'allow') return undefined;
  // Hosts repeat the input that they allow: that is no change, and needs no right to change.
  const isChanged = isJsonObject(updatedInput) && !isDeepStrictEqual(updatedInput, input);
  return {
    behavior,
    ...(isChanged ? { updatedInput } : {}),
    ...(Array.isArray(rules) ? { updatedPermissions: rules.filter(isJsonObject) } : {}),
  };
}
