import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { AskAnswerError } from './ask-errors.ts';

interface Question {
  text: string;
  /** None means that every answer is in the person's own words. */
  labels: string[];
  isMulti: boolean;
}

/** What a person chose, by the text of the question: options, words of their own, or both where several may hold. */
export interface Choice {
  answers: Readonly<Record<string, string | string[]>>;
  other: Readonly<Record<string, string>>;
}

/** The answers to AskUserQuestion as the agent reads them. Raises `ASK_ANSWER_INVALID`. */
export function questionAnswers(input: JsonObject, { answers, other }: Choice): Record<string, string> {
  const questions = questionsIn(input);
  for (const text of [...Object.keys(answers), ...Object.keys(other)]) {
    if (!questions.some((question) => question.text === text))
      throw new AskAnswerError(`there is no question "${text}"`);
  }
  return Object.fromEntries(
    questions.map((question) => [question.text, chosen(question, answers, other).join(', ')]),
  );
}

function chosen(
  { text, labels, isMulti }: Question,
  answers: Choice['answers'],
  other: Choice['other'],
): string[] {
  const picked = [answers[text] ?? []].flat();
  for (const label of picked) {
    if (labels.length > 0 && !labels.includes(label))
      throw new AskAnswerError(`"${text}" has no option "${label}"; words of your own go into "other"`);
  }
  const all = [...new Set(picked), ...(other[text] ? [other[text]] : [])];
  if (all.length === 0) throw new AskAnswerError(`"${text}" is not answered`);
  if (all.length > 1 && !isMulti) throw new AskAnswerError(`"${text}" takes one answer`);
  return all;
}

function questionsIn({ questions }: JsonObject): Question[] {
  if (!Array.isArray(questions)) return [];
  return questions.filter(isJsonObject).flatMap(({ question, options, multiSelect }) => {
    if (typeof question !== 'string') return [];
    const all = Array.isArray(options) ? options.filter(isJsonObject) : [];
    const labels = all.flatMap(({ label }) => (typeof label === 'string' ? [label] : []));
    return [{ text: question, labels, isMulti: multiSelect === true }];
  });
}
