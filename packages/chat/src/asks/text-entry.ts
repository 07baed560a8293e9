import { type Draft, EMPTY_DRAFT, editDraft, fullText } from '../input/draft.ts';
import { draftLines } from '../input/draft-lines.ts';
import type { Key } from '../terminal/key-decoder.ts';
import { bold, dim } from '../text/line.ts';
import { hang, wrapLine } from '../text/wrap-line.ts';
import type { AskView } from './ask.ts';

const MAX_ROWS = 4;

/** An answer in the person's own words. */
export class TextEntry {
  readonly #question: string;
  #draft: Draft = EMPTY_DRAFT;

  constructor(question: string) {
    this.#question = question;
  }

  get text(): string {
    return fullText(this.#draft).trim();
  }

  /** What the key led to: the text when it was sent, `left` when the person went back, else undefined. */
  onKey(key: Key): { text: string } | 'left' | undefined {
    const edited = editDraft(this.#draft, key);
    if (edited) this.#draft = edited;
    else if (key.chord === 'enter') return { text: this.text };
    else if (key.chord === 'escape') return 'left';
    return undefined;
  }

  view(width: number): AskView {
    const title = wrapLine([dim(`${this.#question} Enter sends, Esc goes back`)], width);
    const { lines, cursor } = draftLines(this.#draft, Math.max(width - 2, 1), MAX_ROWS);
    return {
      lines: [...title, ...hang([bold('❯ ', 'cyan')], lines)],
      cursor: { x: cursor.x + 2, y: cursor.y + title.length },
    };
  }
}
