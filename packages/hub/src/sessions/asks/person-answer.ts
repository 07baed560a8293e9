import { isJsonObject, type JsonObject, parseControlPayload } from '@signalbox/protocol';
import type { Author, PermissionAnswer, PersonAnswer } from '@signalbox/protocol/hub';
import { AskAnswerError } from './ask-errors.ts';
import { subtypeOf } from './ask-line.ts';
import { checkForm } from './form-answer.ts';
import { questionAnswers } from './question-answer.ts';

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
  const { message = `Denied by ${authorWords(author)}.`, interrupt } = answer;
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

function authorWords(author: Author): string {
  if (author.by === 'person') return author.name;
  return author.rule === undefined ? 'the hub' : `the rule ${author.rule} of the hub`;
}
