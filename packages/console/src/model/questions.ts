import { isJsonObject, type JsonObject, listAt, textAt } from '@signalbox/protocol';
import type { PersonAnswer } from '@signalbox/protocol/hub';
import { firstOf } from './many.ts';

/** How many options all questions of one card show, and each of them at least. */
const MAX_OPTIONS = 1000;
const MIN_OPTIONS = 4;

/** A question of AskUserQuestion. */
export interface Question {
  /** As the agent wrote it: answers are found by it. */
  text: string;
  header: string;
  options: { label: string; description: string }[];
  /** Options that are not offered, because nobody could look at so many; words of one's own can name them. */
  left: number;
  isMulti: boolean;
}

/** What was chosen for a question: labels, and words of the person's own. */
export interface Choice {
  labels: readonly string[];
  words: string;
}

/** The questions that an agent asks. */
export function questionsIn(input: JsonObject): Question[] {
  const questions = listAt(input, 'questions');
  const most = Math.max(MIN_OPTIONS, Math.floor(MAX_OPTIONS / Math.max(1, questions.length)));
  return questions.flatMap((question) => {
    const [offered, rest] = firstOf(listAt(question, 'options'), most);
    const options = offered.map((option) => ({
      label: textAt(option, 'label'),
      description: textAt(option, 'description'),
    }));
    const text = textAt(question, 'question');
    const isMulti = isJsonObject(question) && question.multiSelect === true;
    return text === ''
      ? []
      : [{ text, header: textAt(question, 'header'), options, left: rest.length, isMulti }];
  });
}

/** The choice after a label was clicked. */
export function choose({ isMulti }: Question, choice: Choice, label: string): Choice {
  if (!isMulti) return { labels: [label], words: '' };
  const isChosen = choice.labels.includes(label);
  const labels = isChosen ? choice.labels.filter((other) => other !== label) : [...choice.labels, label];
  return { ...choice, labels };
}

/** The choice after something was typed: words of one's own take the place of the one option. */
export function write({ isMulti }: Question, choice: Choice, words: string): Choice {
  return { labels: isMulti || words.trim() === '' ? choice.labels : [], words };
}

/** What the hub is told; undefined while a question has no answer. */
export function questionAnswer(
  questions: readonly Question[],
  choices: readonly Choice[],
): PersonAnswer | undefined {
  const answers: Record<string, string[]> = {};
  const other: Record<string, string> = {};
  for (const [index, { text }] of questions.entries()) {
    const { labels, words } = choices[index] ?? { labels: [], words: '' };
    if (labels.length === 0 && words.trim() === '') return undefined;
    if (labels.length > 0) answers[text] = [...labels];
    if (words.trim() !== '') other[text] = words.trim();
  }
  return { behavior: 'allow', answers, other };
}
