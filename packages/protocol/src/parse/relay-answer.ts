import { isJsonObject, type JsonObject } from '../json-fields.ts';
import type { RelayAnswer } from '../schema/relay-message.ts';

/** Whether a frontend answered a permission request in the short form of agents-ui. By hand: every host that has a peer would load the schemas. */
export function isRelayAnswer(value: unknown): value is RelayAnswer {
  if (!isJsonObject(value) || value['type'] !== 'control_response') return false;
  const { request_id, permission } = value;
  if (typeof request_id !== 'string' || !isJsonObject(permission)) return false;
  const { allow, message } = permission;
  return typeof allow === 'boolean' && (message === undefined || typeof message === 'string');
}

/** The same answer as a control response has it. */
export function controlResponseOf({ request_id, permission: { allow, message } }: RelayAnswer): JsonObject {
  const response = allow ? { behavior: 'allow' } : { behavior: 'deny', message: message ?? '' };
  return { subtype: 'success', request_id, response };
}
