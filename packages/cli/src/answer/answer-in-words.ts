import { isJsonObject, type JsonObject, listAt, suggestionsIn, textAt } from '@signalbox/protocol';
import type { PermissionRequest, PersonAnswer } from 'signalbox/hub';
import { CommandOptionsError } from '../command-options.ts';

/** What can be said to a request on the command line. */
export const ANSWER_WORDS = ['allow', 'always', 'deny', 'say'] as const;
export type AnswerWord = (typeof ANSWER_WORDS)[number];

/** An answer from the words of a command line. Raises `COMMAND_OPTIONS` for one that does not fit the request. */
export function answerInWords({ request }: PermissionRequest, word: AnswerWord, text: string): PersonAnswer {
  const isQuestion = request.tool_name === 'AskUserQuestion';
  if (word === 'deny') return { behavior: 'deny', ...(text === '' ? {} : { message: text }) };
  if (word === 'say') return said(isQuestion ? request.input : undefined, text);
  if (request.subtype !== 'can_use_tool')
    throw wrong('A form or dialog has fields to fill in: answer it in the browser.');
  if (isQuestion) throw wrong('The agent asks a question: answer it with say "…".');
  if (text !== '') throw wrong(`${word} takes no further words.`);
  if (word === 'allow') return { behavior: 'allow' };
  const rules = suggestionsIn(request);
  if (rules.length === 0) throw wrong('The agent offers nothing that could be kept for this: say allow.');
  return { behavior: 'allow', updatedPermissions: rules };
}

/** The option that has this name, or words of the person's own. */
function said(input: unknown, text: string): PersonAnswer {
  const [question, ...others] = isJsonObject(input) ? listAt(input, 'questions').filter(isJsonObject) : [];
  if (!question) throw wrong('say is for questions; this request is allowed or denied.');
  if (others.length > 0)
    throw wrong(
      `The agent asks ${others.length + 1} things at once: answer them in a terminal or the browser.`,
    );
  if (text === '') throw wrong('Say the name of an option, or words of your own.');
  const name = textAt(question, 'question');
  const label = labelsOf(question).find((known) => known.toLowerCase() === text.toLowerCase());
  if (label === undefined) return { behavior: 'allow', answers: {}, other: { [name]: text } };
  return { behavior: 'allow', answers: { [name]: question.multiSelect === true ? [label] : label } };
}

function labelsOf(question: JsonObject): string[] {
  return listAt(question, 'options').map((option) => textAt(option, 'label'));
}

function wrong(problem: string): CommandOptionsError {
  return new CommandOptionsError('answer', problem);
}
