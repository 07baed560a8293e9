import { isJsonObject, type JsonObject, PERMISSION_MODES, parseControlPayload } from '@signalbox/protocol';
import type { Author, PermissionAnswer, PersonAnswer } from '@signalbox/protocol/hub';
import * as z from 'zod';
import { AskAnswerError } from './ask-errors.ts';
import { subtypeOf } from './ask-line.ts';
import { checkForm } from './form-answer.ts';
import { questionAnswers } from './question-answer.ts';

const anyObject = z.record(z.string(), z.unknown());
const why = z.string().max(10_000).exactOptional().describe('kept in the audit log');

/** What a person says to a request of an agent. */
export const personAnswer = z.discriminatedUnion('behavior', [
  z.strictObject({
    behavior: z.literal('allow'),
    updatedInput: anyObject.exactOptional().describe('another input than the one asked about'),
    updatedPermissions: z.array(anyObject).exactOptional().describe('rules to keep'),
    answers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .exactOptional()
      .describe('for AskUserQuestion: the labels chosen, by the text of the question'),
    other: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe('for AskUserQuestion: words of your own, by the text of the question'),
    mode: z
      .enum(PERMISSION_MODES)
      .exactOptional()
      .describe('for ExitPlanMode: the permission mode to go on in'),
    content: anyObject.exactOptional().describe('for a form of an MCP server: its fields'),
    result: z.unknown().exactOptional().describe('for a dialog: what it came to'),
    why,
  }),
  z.strictObject({
    behavior: z.literal('deny'),
    message: z.string().exactOptional().describe('what the agent is told'),
    interrupt: z.boolean().exactOptional().describe('end the turn as well'),
    dismissed: z.boolean().exactOptional().describe('for a form of an MCP server: closed without a decision'),
    why,
  }),
]) satisfies z.ZodType<PersonAnswer>;

type Allowing = Extract<PersonAnswer, { behavior: 'allow' }>;
type Kind = 'permission' | 'question' | 'plan' | 'form' | 'dialog';

/** What an answer may hold beside `behavior` and `why`. */
const FITTING: Record<Kind, readonly string[]> = {
  permission: ['updatedInput', 'updatedPermissions', 'message', 'interrupt'],
  question: ['updatedInput', 'updatedPermissions', 'answers', 'other', 'message', 'interrupt'],
  plan: ['updatedInput', 'updatedPermissions', 'mode', 'message', 'interrupt'],
  form: ['content', 'dismissed'],
  dialog: ['result'],
};

/** Whether an answer does more than to allow, deny or answer what is asked. */
export function isChange(answer: PersonAnswer): boolean {
  if (answer.behavior === 'deny') return false;
  const { updatedInput, updatedPermissions, mode } = answer;
  return updatedInput !== undefined || updatedPermissions !== undefined || mode !== undefined;
}

/** Whether the agent is to go on without asking anybody any more. */
export function asksNobody(answer: PersonAnswer): boolean {
  if (answer.behavior === 'deny') return false;
  const { mode, updatedPermissions = [] } = answer;
  return [mode, ...updatedPermissions.map((update) => update.mode)].includes('bypassPermissions');
}

/** What is kept of a person's answer to `request`, and what the agent is told. Raises `ASK_ANSWER_INVALID`. */
export function permissionAnswer(
  request: JsonObject,
  answer: PersonAnswer,
  author: Author,
): PermissionAnswer {
  const kind = kindOf(request);
  for (const field of Object.keys(answer)) {
    if (field !== 'behavior' && field !== 'why' && !FITTING[kind].includes(field))
      throw new AskAnswerError(`${field} is no part of an answer to a ${kind}`);
  }
  const response = resultOf(kind, request, answer, author);
  // Rules come from outside, and only the protocol knows what they may look like.
  parseControlPayload(subtypeOf(request) ?? 'can_use_tool', response);
  return { author, response, what: whatOf(answer), why: answer.why ?? null };
}

/** Whether a request is about a tool call, and not a question, a plan or a form that only a person can answer. */
export function isToolPermission(request: JsonObject): boolean {
  return kindOf(request) === 'permission' && request.requires_user_interaction !== true;
}

function kindOf(request: JsonObject): Kind {
  const subtype = subtypeOf(request);
  if (subtype === 'elicitation') return 'form';
  if (subtype === 'request_user_dialog') return 'dialog';
  if (request.tool_name === 'AskUserQuestion') return 'question';
  return request.tool_name === 'ExitPlanMode' ? 'plan' : 'permission';
}

function resultOf(kind: Kind, request: JsonObject, answer: PersonAnswer, author: Author): JsonObject {
  const isAllowed = answer.behavior === 'allow';
  if (kind === 'form') {
    if (!isAllowed) return { action: answer.dismissed ? 'cancel' : 'decline' };
    const { content = {} } = answer;
    checkForm(request, content);
    // A page to open has no fields, and its server wants none.
    return { action: 'accept', ...(request.mode === 'url' ? {} : { content }) };
  }
  if (kind === 'dialog') {
    if (!isAllowed) return { behavior: 'cancelled' };
    return { behavior: 'completed', ...('result' in answer ? { result: answer.result } : {}) };
  }
  if (isAllowed) return allowed(kind, isJsonObject(request.input) ? request.input : {}, answer);
  const { message = `Denied by ${author.by === 'person' ? author.name : 'the hub'}.`, interrupt } = answer;
  return { behavior: 'deny', message, ...(interrupt === undefined ? {} : { interrupt }) };
}

function allowed(kind: Kind, asked: JsonObject, answer: Allowing): JsonObject {
  const { updatedInput, answers = {}, other = {}, mode } = answer;
  // Whoever brings another input may have put the answers into it.
  const isAnswered = kind !== 'question' || (updatedInput && !answer.answers && !answer.other);
  const given = isAnswered ? {} : { answers: questionAnswers(asked, { answers, other }) };
  const updates = [
    ...(answer.updatedPermissions ?? []),
    ...(mode === undefined ? [] : [{ type: 'setMode', mode, destination: 'session' }]),
  ];
  return {
    behavior: 'allow',
    updatedInput: { ...(updatedInput ?? asked), ...given },
    ...(updates.length > 0 ? { updatedPermissions: updates } : {}),
  };
}

/** For the audit log: a changed input or a rule is another decision than a yes. */
function whatOf(answer: PersonAnswer): string {
  if (answer.behavior === 'deny') {
    if (answer.dismissed) return 'dismiss';
    return answer.interrupt ? 'deny and interrupt' : 'deny';
  }
  const { updatedInput, updatedPermissions, mode } = answer;
  return [
    'allow',
    ...(updatedInput ? ['with another input'] : []),
    ...(updatedPermissions ? ['with rules'] : []),
    ...(mode === undefined ? [] : [`in mode ${mode}`]),
  ].join(' ');
}
