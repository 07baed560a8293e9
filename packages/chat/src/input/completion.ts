import { type Draft, replaceBefore } from './draft.ts';

/** Something that a half-written word can become. */
export interface Choice {
  text: string;
  detail: string;
  /** What may follow it, so that it is not sent at once. */
  argumentHint?: string;
}

/** A word that can be completed: a command at the start of a prompt, or a file anywhere. */
export interface Completable {
  kind: 'command' | 'file';
  /** Without its `/` or `@`. */
  word: string;
  /** Where it starts, sign included. */
  from: number;
}

/** How many choices are shown at a time. */
export const SHOWN_CHOICES = 6;

/** What is at the cursor that could be completed. */
export function completableAt({ text, cursor }: Draft): Completable | undefined {
  const written = text.slice(0, cursor);
  const command = /^\/(\S*)$/.exec(written);
  if (command) return { kind: 'command', word: command[1] ?? '', from: 0 };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(written);
  if (!file) return undefined;
  const word = file[1] ?? '';
  return { kind: 'file', word, from: cursor - word.length - 1 };
}

/** The choices that fit a word: those that begin with it before those that hold it. */
export function fitting(choices: readonly Choice[], word: string): Choice[] {
  const sought = word.toLowerCase();
  const names = choices.map((choice) => ({ choice, name: choice.text.toLowerCase() }));
  return [
    ...names.filter(({ name }) => name.startsWith(sought)),
    ...names.filter(({ name }) => !name.startsWith(sought) && name.includes(sought)),
  ].map(({ choice }) => choice);
}

/** The draft with `choice` in place of the word that was begun. */
export function completed(draft: Draft, { kind, from }: Completable, choice: Choice): Draft {
  const sign = kind === 'command' ? '/' : '@';
  // A folder is gone on with; anything else is a whole word.
  const end = choice.text.endsWith('/') ? '' : ' ';
  return replaceBefore(draft, from, `${sign}${choice.text}${end}`);
}
