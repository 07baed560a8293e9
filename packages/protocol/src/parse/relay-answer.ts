import type { OutboundHostMessage } from '../schema/host-message.ts';
import { type RelayAnswer, relayAnswer } from '../schema/relay-message.ts';
import { findProblem } from './find-problem.ts';

type ControlResponse = Extract<OutboundHostMessage, { type: 'control_response' }>;

/** Whether a frontend answered a permission request in the short form of agents-ui. */
export function isRelayAnswer(value: unknown): value is RelayAnswer {
  return findProblem(relayAnswer.loose, value) === undefined;
}

/** The control response that an agent understands. `input` is the input of the request that is answered. */
export function translateRelayAnswer(answer: RelayAnswer, input: Record<string, unknown>): ControlResponse {
  const { allow, message } = answer.permission;
  const response = allow
    ? { behavior: 'allow', updatedInput: input }
    : { behavior: 'deny', message: message ?? 'The user denied this tool call.' };
  return {
    type: 'control_response',
    response: { subtype: 'success', request_id: answer.request_id, response },
  };
}
