import type { JsonObject } from '../json-fields.ts';
import { type RelayAnswer, relayAnswer } from '../schema/relay-message.ts';
import { findProblem } from './find-problem.ts';

/** Whether a frontend answered a permission request in the short form of agents-ui. */
export function isRelayAnswer(value: unknown): value is RelayAnswer {
  return findProblem(relayAnswer.loose, value) === undefined;
}

/** The same answer as a control response has it. */
export function controlResponseOf({ request_id, permission: { allow, message } }: RelayAnswer): JsonObject {
  const response = allow ? { behavior: 'allow' } : { behavior: 'deny', message: message ?? '' };
  return { subtype: 'success', request_id, response };
}
