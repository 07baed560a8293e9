import type { JsonObject } from '@signalbox/protocol';
import type { PermissionAnswer } from '@signalbox/protocol/hub';
import type { Decision } from '../../policy/policy.ts';
import { answerLine } from './ask-line.ts';
import { permissionAnswer } from './person-answer.ts';

/** What a rule answers to a request, and the line in which the agent and the record have it. */
export interface RuleAnswer {
  requestId: string;
  ruleId: string;
  answer: PermissionAnswer;
  line: string;
}

/** The answer of a rule that allows or denies; undefined for one that leaves the request to people. */
export function ruleAnswer(
  requestId: string,
  request: JsonObject,
  decision: Decision | undefined,
): RuleAnswer | undefined {
  if (!decision || decision.behavior === 'ask') return undefined;
  const { behavior, rule, author, why } = decision;
  const answer = permissionAnswer(request, { behavior, why }, author);
  return { requestId, ruleId: rule.id, answer, line: answerLine(requestId, answer.response) };
}
