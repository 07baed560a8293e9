import { isJsonObject, type JsonObject, parseControlPayload } from '@signalbox/protocol';
import type { Author, PermissionAnswer, PersonAnswer } from '@signalbox/protocol/hub';
import * as z from 'zod';

/** What a person says to a permission request. */
export const personAnswer = z.discriminatedUnion('behavior', [
  z.strictObject({
    behavior: z.literal('allow'),
    updatedInput: z
      .record(z.string(), z.unknown())
      .exactOptional()
      .describe('another input than the one asked about'),
    updatedPermissions: z.array(z.record(z.string(), z.unknown())).exactOptional().describe('rules to keep'),
    answers: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe('for AskUserQuestion: the label chosen, by the text of the question'),
    why: z.string().exactOptional(),
  }),
  z.strictObject({
    behavior: z.literal('deny'),
    message: z.string().exactOptional().describe('what the agent is told'),
    interrupt: z.boolean().exactOptional().describe('end the turn as well'),
    why: z.string().exactOptional(),
  }),
]) satisfies z.ZodType<PersonAnswer>;

/** Whether an answer does more than to allow or deny what is asked. */
export function isChange(answer: PersonAnswer): boolean {
  if (answer.behavior === 'deny') return false;
  return answer.updatedInput !== undefined || answer.updatedPermissions !== undefined;
}

/** What is kept of a person's answer to `request`, and what the agent is told. Throws when the agent could not read it. */
export function permissionAnswer(
  request: JsonObject,
  answer: PersonAnswer,
  author: Author,
): PermissionAnswer {
  const { behavior, why = null } = answer;
  const response = resultOf(request, answer, author);
  // Rules come from outside, and only the protocol knows what they may look like.
  parseControlPayload('can_use_tool', response);
  return { author, response, what: behavior, why };
}

function resultOf({ input }: JsonObject, answer: PersonAnswer, author: Author): JsonObject {
  if (answer.behavior === 'deny') {
    const { message = `Denied by ${author.by === 'person' ? author.name : 'the hub'}.`, interrupt } = answer;
    return { behavior: 'deny', message, ...(interrupt === undefined ? {} : { interrupt }) };
  }
  const { updatedInput, updatedPermissions, answers } = answer;
  const asked = isJsonObject(input) ? input : {};
  return {
    behavior: 'allow',
    updatedInput: { ...(updatedInput ?? asked), ...(answers ? { answers } : {}) },
    ...(updatedPermissions ? { updatedPermissions } : {}),
  };
}
