import type { Key } from '../terminal/key-decoder.ts';
import { graphemesOf } from '../text/text-width.ts';

/** What is being written. A long paste is one character of `text`, which stands for its place in `pastes`. */
export interface Draft {
  text: string;
  /** An offset into `text`, between two characters as a reader sees them. */
  cursor: number;
  pastes: readonly string[];
}

export const EMPTY_DRAFT: Draft = { text: '', cursor: 0, pastes: [] };

/** A paste with more than this is shown as one piece. */
const LONG_PASTE = { lines: 6, chars: 800 };

/** Private characters of the last plane, which no font and no text uses, stand for pastes. */
const FIRST_MARK = 0x10_0000;
const MARK = /[\u{100000}-\u{10fffd}]/gu;

/** A draft that holds `text`, with the cursor at its end. */
export function draftOf(text: string): Draft {
  return { ...EMPTY_DRAFT, text, cursor: text.length };
}

/** What is sent: every paste in full. */
export function fullText(draft: Draft): string {
  return draft.text.replace(MARK, (mark) => draft.pastes[(mark.codePointAt(0) ?? 0) - FIRST_MARK] ?? '');
}

/** What is shown in place of a character. */
export function shownAs(character: string, draft: Draft): string {
  const paste = draft.pastes[(character.codePointAt(0) ?? 0) - FIRST_MARK];
  if (paste === undefined) return character;
  // What was copied line by line ends with a line end, after which there is no further line.
  const lines = paste.replace(/\n$/, '').split('\n').length;
  return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${paste.length} characters]`;
}

/** The draft after a key; undefined when the key does not edit. */
export function editDraft(draft: Draft, key: Key): Draft | undefined {
  const { text, cursor } = draft;
  const moved = (to: number): Draft => ({ ...draft, cursor: to });
  const without = (from: number, to: number): Draft => ({
    ...draft,
    text: text.slice(0, from) + text.slice(to),
    cursor: from,
  });
  switch (key.chord) {
    case 'text':
      return inserted(draft, key.text.replace(MARK, ''));
    case 'paste':
      return pasted(draft, key.text.replace(MARK, ''));
    case 'alt+enter':
    case 'shift+enter':
    case 'ctrl+j':
      return inserted(draft, '\n');
    case 'enter':
      // The shell's way to go on in a new line.
      return text[cursor - 1] === '\\' ? inserted(without(cursor - 1, cursor), '\n') : undefined;
    case 'left':
    case 'ctrl+b':
      return moved(before(draft));
    case 'right':
    case 'ctrl+f':
      return moved(after(draft));
    case 'ctrl+left':
    case 'alt+left':
    case 'alt+b':
      return moved(wordStart(draft));
    case 'ctrl+right':
    case 'alt+right':
    case 'alt+f':
      return moved(wordEnd(draft));
    case 'home':
    case 'ctrl+a':
      return moved(lineStart(draft));
    case 'end':
    case 'ctrl+e':
      return moved(lineEnd(draft));
    case 'backspace':
      return without(before(draft), cursor);
    case 'delete':
      return without(cursor, after(draft));
    case 'ctrl+d':
      return text === '' ? undefined : without(cursor, after(draft));
    case 'ctrl+k':
      return without(cursor, text[cursor] === '\n' ? cursor + 1 : lineEnd(draft));
    case 'ctrl+u':
      return without(lineStart(draft), cursor);
    case 'ctrl+w':
    case 'alt+backspace':
      return without(wordStart(draft), cursor);
    case 'alt+d':
      return without(cursor, wordEnd(draft));
    case 'up':
      return lineStart(draft) === 0 ? undefined : moved(inLine(draft, lineStart(draft) - 1));
    case 'down':
      return lineEnd(draft) === text.length ? undefined : moved(inLine(draft, lineEnd(draft) + 1));
    default:
      return undefined;
  }
}

/** `to` in place of what is between `from` and the cursor. */
export function replaceBefore(draft: Draft, from: number, to: string): Draft {
  const { text, cursor } = draft;
  return { ...draft, text: text.slice(0, from) + to + text.slice(cursor), cursor: from + to.length };
}

function inserted(draft: Draft, added: string): Draft {
  return replaceBefore(draft, draft.cursor, added);
}

function pasted(draft: Draft, added: string): Draft {
  const isLong = added.length > LONG_PASTE.chars || added.split('\n').length > LONG_PASTE.lines;
  if (!isLong) return inserted(draft, added);
  const mark = String.fromCodePoint(FIRST_MARK + draft.pastes.length);
  return inserted({ ...draft, pastes: [...draft.pastes, added] }, mark);
}

function before({ text, cursor }: Draft): number {
  const line = text.slice(0, cursor);
  return cursor - (graphemesOf(line.slice(line.lastIndexOf('\n') + 1)).at(-1)?.length ?? Math.min(1, cursor));
}

function after({ text, cursor }: Draft): number {
  const [line = ''] = text.slice(cursor).split('\n', 1);
  return Math.min(text.length, cursor + (graphemesOf(line)[0]?.length ?? 1));
}

function wordStart({ text, cursor }: Draft): number {
  return text.slice(0, cursor).search(/(?:[\p{L}\p{N}\p{M}_]+|[^\p{L}\p{N}\p{M}_\s]+)?\s*$/u);
}

function wordEnd({ text, cursor }: Draft): number {
  const rest = /^\s*(?:[\p{L}\p{N}\p{M}_]+|[^\p{L}\p{N}\p{M}_\s]+)?/u.exec(text.slice(cursor));
  return cursor + (rest?.[0].length ?? 0);
}

function lineStart({ text, cursor }: Draft): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

function lineEnd({ text, cursor }: Draft): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

/** The same column in the line that holds the offset `at`, or its end when it is shorter. */
function inLine(draft: Draft, at: number): number {
  const column = graphemesOf(draft.text.slice(lineStart(draft), draft.cursor)).length;
  const other = { ...draft, cursor: at };
  const start = lineStart(other);
  return (
    start +
    graphemesOf(draft.text.slice(start, lineEnd(other)))
      .slice(0, column)
      .join('').length
  );
}
