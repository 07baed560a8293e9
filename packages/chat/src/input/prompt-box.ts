import { type Key, MAX_PASTE_CHARS } from '../terminal/key-decoder.ts';
import { bold, dim, type Line, plain } from '../text/line.ts';
import { widthOf } from '../text/text-width.ts';
import { cutLine, hang } from '../text/wrap-line.ts';
import {
  type Choice,
  type Completable,
  completableAt,
  completed,
  fitting,
  SHOWN_CHOICES,
} from './completion.ts';
import { type Draft, draftOf, EMPTY_DRAFT, editDraft, fullText } from './draft.ts';
import { type CursorLines, draftLines } from './draft-lines.ts';
import { type History, HistoryWalk } from './history.ts';

/** Where the choices of a completion come from. */
export interface ChoiceSource {
  commands(): readonly Choice[];
  files(word: string): Promise<Choice[]>;
}

/** What a key led to. */
export type BoxOutcome =
  | { name: 'edited' }
  | { name: 'sent'; text: string }
  | { name: 'refused'; reason: string }
  | { name: 'unused' };

interface Completion extends Completable {
  choices: readonly Choice[];
  at: number;
}

const EDITED: BoxOutcome = { name: 'edited' };
const UNUSED: BoxOutcome = { name: 'unused' };
const COMMAND_COLUMNS = 24;

/** Where a prompt is written: a draft with its history and its completions. */
export class PromptBox {
  readonly #source: ChoiceSource;
  readonly #walk: HistoryWalk;
  readonly #onChange: () => void;
  #draft: Draft = EMPTY_DRAFT;
  #completion: Completion | undefined;

  constructor(history: History | undefined, source: ChoiceSource, onChange: () => void) {
    this.#source = source;
    this.#walk = new HistoryWalk(history);
    this.#onChange = onChange;
  }

  get isEmpty(): boolean {
    return this.#draft.text === '';
  }

  get isCompleting(): boolean {
    return (this.#completion?.choices.length ?? 0) > 0;
  }

  /** Put words into the box that were not sent after all; what is in it stays, below them. */
  giveBack(text: string): void {
    const written = this.#draft.text;
    this.#change({
      ...this.#draft,
      ...draftOf(written ? `${text}\n${written}` : text),
      pastes: this.#draft.pastes,
    });
  }

  /** What can be completed has changed. A prompt that was recalled is completed by nobody: Up goes on to earlier ones. */
  refresh(): void {
    if (this.#completion) this.#change(this.#draft);
  }

  clear(): void {
    this.#change(EMPTY_DRAFT);
  }

  onKey(key: Key): BoxOutcome {
    if (key.chord === 'paste' && key.text.length > MAX_PASTE_CHARS) {
      return { name: 'refused', reason: 'That is too long to paste. Save it to a file and name it with @.' };
    }
    if (this.#completion && this.#completion.choices.length > 0) {
      const outcome = this.#onCompletionKey(key, this.#completion);
      if (outcome) return outcome;
    }
    const edited = editDraft(this.#draft, key);
    if (edited) {
      this.#change(edited);
      return EDITED;
    }
    if (key.chord === 'enter') return this.#send();
    const recalled =
      key.chord === 'up'
        ? this.#walk.older(this.#draft)
        : key.chord === 'down'
          ? this.#walk.newer()
          : undefined;
    if (!recalled) return UNUSED;
    this.#draft = recalled;
    this.#completion = undefined;
    return EDITED;
  }

  view(width: number, maxRows: number, placeholder: string): CursorLines {
    const lead: Line = [bold('❯ ', 'cyan')];
    if (this.isEmpty) {
      return { lines: [cutLine([...lead, dim(placeholder)], width)], cursor: { x: 2, y: 0 } };
    }
    const { lines, cursor } = draftLines(this.#draft, Math.max(width - 2, 1), maxRows);
    return {
      lines: [...hang(lead, lines), ...this.#completionLines(width)],
      cursor: { x: cursor.x + 2, y: cursor.y },
    };
  }

  #change(draft: Draft): void {
    this.#draft = draft;
    const completable = completableAt(draft);
    if (!completable) this.#completion = undefined;
    else if (completable.kind === 'command') {
      this.#completion = {
        ...completable,
        choices: fitting(this.#source.commands(), completable.word),
        at: 0,
      };
    } else this.#lookForFiles(completable);
  }

  #lookForFiles(completable: Completable): void {
    const kept = this.#completion?.kind === 'file' ? this.#completion.choices : [];
    const asked: Completion = { ...completable, choices: kept, at: 0 };
    this.#completion = asked;
    void this.#source.files(completable.word).then((choices) => {
      // Another letter was typed since: its own answer is on the way.
      if (this.#completion !== asked) return;
      this.#completion = { ...completable, choices, at: 0 };
      this.#onChange();
    });
  }

  #onCompletionKey(key: Key, completion: Completion): BoxOutcome | undefined {
    const { choices, at } = completion;
    const step =
      key.chord === 'down' || key.chord === 'ctrl+n'
        ? 1
        : key.chord === 'up' || key.chord === 'ctrl+p'
          ? -1
          : 0;
    if (step !== 0) {
      this.#completion = { ...completion, at: (at + step + choices.length) % choices.length };
      return EDITED;
    }
    if (key.chord === 'escape') {
      this.#completion = undefined;
      return EDITED;
    }
    const choice = choices[at];
    if (!choice || (key.chord !== 'tab' && key.chord !== 'enter')) return undefined;
    const isWhole = completion.word === choice.text;
    if (key.chord === 'enter' && isWhole && completion.kind === 'command') return undefined;
    this.#change(completed(this.#draft, completion, choice));
    const isSentAtOnce = key.chord === 'enter' && completion.kind === 'command' && !choice.argumentHint;
    return isSentAtOnce ? this.#send() : EDITED;
  }

  #send(): BoxOutcome {
    const text = fullText(this.#draft).trim();
    if (text === '') return EDITED;
    this.#walk.add(text);
    this.clear();
    return { name: 'sent', text };
  }

  #completionLines(width: number): Line[] {
    if (!this.#completion) return [];
    const { choices, at, kind } = this.#completion;
    const first = Math.max(0, Math.min(at - (SHOWN_CHOICES >> 1), choices.length - SHOWN_CHOICES));
    const sign = kind === 'command' ? '/' : '@';
    return choices.slice(first, first + SHOWN_CHOICES).map((choice, index) => {
      const isAt = first + index === at;
      const hint = choice.argumentHint ? ` ${choice.argumentHint}` : '';
      const name = `${sign}${choice.text}`;
      const space = ' '.repeat(Math.max(2, COMMAND_COLUMNS - widthOf(name + hint)));
      return cutLine(
        [
          plain('  '),
          isAt ? bold(name, 'cyan') : plain(name),
          dim(hint),
          dim(choice.detail ? `${space}${choice.detail.replaceAll('\n', ' ')}` : ''),
        ],
        width,
      );
    });
  }
}
