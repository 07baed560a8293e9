import { isJsonObject, type JsonObject } from '../json-fields.ts';
import { isRelayAnswer } from '../parse/relay-answer.ts';
import { sameJson } from '../same-json.ts';
import type { PersonAnswer } from './schema/permission.ts';

/** The request that a host or a frontend answers, in either of the two shapes; undefined when there is none. */
export function answeredRequest(message: JsonObject): string | undefined {
  if (isRelayAnswer(message)) return message.request_id;
  const { response } = message;
  return isJsonObject(response) && typeof response.request_id === 'string' ? response.request_id : undefined;
}

/**
 * What a host says to `request`, which an agent asked. Undefined when it is no decision: a host that fails, or has nobody
 * to ask, must not decide for all others.
 */
export function answerOfHost(message: JsonObject, request: JsonObject): PersonAnswer | undefined {
  if (isRelayAnswer(message)) {
    const { allow, message: why } = message.permission;
    return allow ? { behavior: 'allow' } : { behavior: 'deny', ...(why ? { message: why } : {}) };
  }
  const { response: outer } = message;
  if (!isJsonObject(outer) || outer.subtype !== 'success' || !isJsonObject(outer.response)) return undefined;
  const { response } = outer;
  switch (request.subtype) {
    case 'elicitation':
      return formAnswer(response);
    case 'request_user_dialog':
      return response.behavior === 'completed'
        ? { behavior: 'allow', ...('result' in response ? { result: response.result } : {}) }
        : { behavior: 'deny' };
    default:
      return permissionAnswer(response, request);
  }
}

function permissionAnswer(response: JsonObject, { input }: JsonObject): PersonAnswer | undefined {
  const { behavior, updatedInput, updatedPermissions, message, interrupt } = response;
  if (behavior === 'deny') {
    return {
      behavior,
      ...(typeof message === 'string' ? { message } : {}),
      ...(typeof interrupt === 'boolean' ? { interrupt } : {}),
    };
  }
  if (behavior !== 'allow') return undefined;
  // Hosts repeat the input that they allow: that is no change, and needs no right to change.
  const isChanged = isJsonObject(updatedInput) && !sameJson(updatedInput, input);
  const rules = Array.isArray(updatedPermissions) ? updatedPermissions.filter(isJsonObject) : [];
  return {
    behavior,
    ...(isChanged ? { updatedInput } : {}),
    ...(rules.length > 0 ? { updatedPermissions: rules } : {}),
  };
}

function formAnswer({ action, content }: JsonObject): PersonAnswer {
  if (action === 'cancel') return { behavior: 'deny', dismissed: true };
  if (action !== 'accept') return { behavior: 'deny' };
  return { behavior: 'allow', ...(isJsonObject(content) ? { content } : {}) };
}
