import { type CanUseToolRequest, isJsonObject, type JsonObject, listAt, textAt } from '@signalbox/protocol';
import type { Key } from '../terminal/key-decoder.ts';
import { cleanText } from '../text/clean-text.ts';
import { bold, colored, dim, type Line, plain } from '../text/line.ts';
import { cutLine, wrapLine } from '../text/wrap-line.ts';
import { type Answer, type Ask, type AskRoom, type AskView, FRESH_HINT, REFUSED_AND_STOPPED } from './ask.ts';
import { type MenuOption, menuDigit, menuLines, menuMove } from './menu.ts';
import { TextEntry } from './text-entry.ts';

interface Question {
  /** As the agent wrote it: answers are found by it. */
  text: string;
  header: string;
  options: { label: string; description: string }[];
  isMulti: boolean;
}

/** What was chosen for a question: options by their place, and words of the person's own. */
interface Chosen {
  places: Set<number>;
  words: string;
}

/** The questions of AskUserQuestion, one after the other; undefined when the input holds none. */
export function questionAsk({ input }: CanUseToolRequest): Ask | undefined {
  const questions = listAt(input, 'questions').flatMap((question): Question[] => {
    const options = listAt(question, 'options').map((option) => ({
      label: textAt(option, 'label'),
      description: textAt(option, 'description'),
    }));
    const text = textAt(question, 'question');
    const isMulti = isJsonObject(question) && question.multiSelect === true;
    return text && options.length > 0 ? [{ text, header: textAt(question, 'header'), options, isMulti }] : [];
  });
  return questions.length > 0 ? new QuestionAsk(input, questions) : undefined;
}

class QuestionAsk implements Ask {
  readonly #input: JsonObject;
  readonly #questions: readonly Question[];
  readonly #chosen: Chosen[];
  #number = 0;
  #at = 0;
  #stage: { name: 'choosing' } | { name: 'saying'; entry: TextEntry } = { name: 'choosing' };

  constructor(input: JsonObject, questions: readonly Question[]) {
    this.#input = input;
    this.#questions = questions;
    this.#chosen = questions.map(() => ({ places: new Set(), words: '' }));
  }

  get step(): number {
    return this.#number;
  }

  typed(): string | undefined {
    return this.#stage.name === 'saying' ? this.#stage.entry.text : undefined;
  }

  whole(width: number): Line[] {
    return this.#questions.flatMap(({ text }) => wrapLine([plain(cleanText(text))], width));
  }

  onKey(key: Key): Answer | undefined {
    const question = this.#questions[this.#number];
    const chosen = this.#chosen[this.#number];
    if (!question || !chosen) return undefined;
    if (this.#stage.name === 'saying') return this.#onWords(this.#stage.entry.onKey(key), chosen, question);
    if (key.chord === 'escape') return REFUSED_AND_STOPPED;
    if (key.chord === 'left') {
      this.#goTo(Math.max(0, this.#number - 1));
      return undefined;
    }
    const count = question.options.length + 1;
    const isToggle = key.chord === 'text' && key.text === ' ' && question.isMulti;
    const place = isToggle || key.chord === 'enter' ? this.#at : menuDigit(key, count);
    if (place === undefined) this.#at = menuMove(this.#at, count, key);
    else if (place === question.options.length && !(key.chord === 'enter' && chosen.words))
      this.#stage = { name: 'saying', entry: new TextEntry('In your own words:') };
    else if (!question.isMulti) {
      this.#chosen[this.#number] = { places: new Set([place]), words: '' };
      return this.#next();
    } else if (key.chord === 'enter') return this.#confirm(chosen, place);
    else if (!chosen.places.delete(place)) chosen.places.add(place);
    return undefined;
  }

  view({ width, isFresh }: AskRoom): AskView {
    const question = this.#questions[this.#number];
    const chosen = this.#chosen[this.#number];
    if (!question || !chosen) return { lines: [] };
    const count = this.#questions.length;
    const head = [
      cutLine(
        [
          colored('? ', 'yellow'),
          bold(cleanText(question.header), 'cyan'),
          dim(count > 1 ? `  question ${this.#number + 1} of ${count}` : ''),
        ],
        width,
      ),
      ...cleanText(question.text)
        .split('\n')
        .flatMap((line) => wrapLine([bold(line)], width)),
      [],
    ];
    if (this.#stage.name === 'saying') {
      const { lines, cursor } = this.#stage.entry.view(width);
      return { lines: [...head, ...lines], cursor: cursor && { x: cursor.x, y: cursor.y + head.length } };
    }
    const choosing = question.isMulti ? 'Space marks, Enter goes on' : 'Enter chooses';
    const keys = `${choosing}${this.#number > 0 ? ', ← goes back' : ''}, Esc stops the turn`;
    return {
      lines: [
        ...head,
        ...menuLines(menuOf(question, chosen), this.#at, width),
        cutLine([dim(`  ${isFresh ? FRESH_HINT : keys}`)], width),
      ],
    };
  }

  #onWords(
    outcome: { text: string } | 'left' | undefined,
    chosen: Chosen,
    question: Question,
  ): Answer | undefined {
    if (outcome === undefined) return undefined;
    this.#stage = { name: 'choosing' };
    if (outcome === 'left') return undefined;
    chosen.words = outcome.text;
    if (!question.isMulti) chosen.places.clear();
    return chosen.words && !question.isMulti ? this.#next() : undefined;
  }

  /** Enter with nothing marked takes what is highlighted. */
  #confirm(chosen: Chosen, place: number): Answer | undefined {
    if (chosen.places.size === 0 && !chosen.words) chosen.places.add(place);
    return this.#next();
  }

  #next(): Answer | undefined {
    if (this.#number + 1 < this.#questions.length) {
      this.#goTo(this.#number + 1);
      return undefined;
    }
    const answers = this.#questions.map(({ text, options }, index): [string, string] => {
      const { places, words } = this.#chosen[index] ?? { places: new Set<number>(), words: '' };
      const labels = options.filter((_, place) => places.has(place)).map(({ label }) => label);
      return [text, [...labels, ...(words ? [words] : [])].join(', ')];
    });
    return {
      result: {
        behavior: 'allow',
        updatedInput: { ...this.#input, answers: Object.fromEntries(answers) },
      },
    };
  }

  #goTo(number: number): void {
    this.#number = number;
    this.#at = 0;
  }
}

function menuOf({ options, isMulti }: Question, { places, words }: Chosen): MenuOption[] {
  const box = (isChecked: boolean): { isChecked?: boolean } => (isMulti ? { isChecked } : {});
  return [
    ...options.map(({ label, description }, place) => ({
      label: cleanText(label),
      detail: cleanText(description).replaceAll('\n', ' '),
      ...box(places.has(place)),
    })),
    {
      label: words ? `Other: ${cleanText(words)}` : 'Other…',
      detail: words ? '' : 'in your own words',
      ...box(words !== ''),
    },
  ];
}
