import { type RelayAnswer, relayAnswer } from '../schema/relay-message.ts';
import { findProblem } from './find-problem.ts';

/** Whether a frontend answered a permission request in the short form of agents-ui. */
export function isRelayAnswer(value: unknown): value is RelayAnswer {
  return findProblem(relayAnswer.loose, value) === undefined;
}
