import type { Key } from '../terminal/key-decoder.ts';
import { colored, dim, type Line, plain } from '../text/line.ts';
import { cutLine } from '../text/wrap-line.ts';
import { type Answer, type Ask, type AskRoom, type AskView, FRESH_HINT, REFUSED_AND_STOPPED } from './ask.ts';
import { type MenuOption, menuDigit, menuLines, menuMove } from './menu.ts';
import { TextEntry } from './text-entry.ts';

/** An option that is an answer, or that asks for words to make one of. */
export type AnswerOption = MenuOption &
  ({ answer: Answer } | { question: string; toAnswer: (words: string) => Answer });

/** What is asked, what has to be judged for it, and the answers there are. */
export interface ChoiceSubject {
  head(width: number): Line[];
  body(width: number): Line[];
  /** Stands above the answers, in words by which tools that watch a terminal know that somebody is waited for. */
  question: string;
  options: readonly AnswerOption[];
}

const MIN_BODY_ROWS = 3;

/** A question with something to judge and a few answers, some of them in the person's own words. */
export class ChoiceAsk implements Ask {
  readonly step = 0;
  readonly #subject: ChoiceSubject;
  #at = 0;
  /** How much of what is judged was shown: a yes waits until all of it was. */
  #shown: 'all' | 'a part' | 'too little for a yes' = 'all';
  #wasSeen = false;
  #stage: { name: 'choosing' } | { name: 'saying'; entry: TextEntry; toAnswer: (words: string) => Answer } = {
    name: 'choosing',
  };

  constructor(subject: ChoiceSubject) {
    this.#subject = subject;
  }

  onKey(key: Key): Answer | undefined {
    if (this.#stage.name === 'saying') {
      const { entry, toAnswer } = this.#stage;
      const outcome = entry.onKey(key);
      if (outcome === 'left') this.#stage = { name: 'choosing' };
      else if (outcome) return toAnswer(outcome.text);
      return undefined;
    }
    const { options } = this.#subject;
    if (key.chord === 'escape') return REFUSED_AND_STOPPED;
    const chosen = options[(key.chord === 'enter' ? this.#at : menuDigit(key, options.length)) ?? -1];
    if (!chosen) this.#at = menuMove(this.#at, options.length, key);
    else if ('answer' in chosen) return this.#answer(chosen.answer);
    else this.#stage = { name: 'saying', entry: new TextEntry(chosen.question), toAnswer: chosen.toAnswer };
    return undefined;
  }

  typed(): string | undefined {
    return this.#stage.name === 'saying' ? this.#stage.entry.text : undefined;
  }

  view({ width, rows, isFresh = false }: AskRoom): AskView {
    const head = this.#subject.head(width);
    const room = rows - head.length - this.#foot(width, isFresh).lines.length - 1;
    const question: Line = [plain(`  ${this.#subject.question}`)];
    const above = [...head, ...this.#body(width, room), cutLine(question, width)];
    const foot = this.#foot(width, isFresh);
    const cursor = foot.cursor && { x: foot.cursor.x, y: foot.cursor.y + above.length };
    return { lines: [...above, ...foot.lines], cursor };
  }

  whole(width: number): Line[] {
    this.#wasSeen = true;
    this.#shown = 'all';
    return this.#subject.body(width);
  }

  #answer(answer: Answer): Answer | undefined {
    if (this.#shown === 'all' || answer.result.behavior !== 'allow') return answer;
    this.#shown = 'too little for a yes';
    return undefined;
  }

  /** With less room than a few rows the screen cuts what is above them: that was not shown either. */
  #body(width: number, space: number): Line[] {
    const room = Math.max(space, MIN_BODY_ROWS);
    const rows = this.#subject.body(width - 4).map((row): Line => [dim('  │ '), ...row]);
    const isCut = rows.length > space;
    if (!isCut || this.#wasSeen) this.#shown = 'all';
    else if (this.#shown === 'all') this.#shown = 'a part';
    if (rows.length <= room) return rows;
    const note = `  │ … ${rows.length - room + 1} more lines: press v to see them all`;
    return [...rows.slice(0, room - 1), cutLine([colored(note, 'yellow')], width)];
  }

  #foot(width: number, isFresh: boolean): AskView {
    if (this.#stage.name === 'saying') return this.#stage.entry.view(width);
    const menu = menuLines(this.#subject.options, this.#at, width);
    const hint =
      this.#shown === 'too little for a yes'
        ? colored('  Not all of it was shown: press v, then allow it', 'yellow')
        : dim(`  ${isFresh ? FRESH_HINT : 'Esc denies and stops the turn'}`);
    return { lines: [...menu, cutLine([hint], width)] };
  }
}
