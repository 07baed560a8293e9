import type { ParameterExpansionPart, Word, WordPart } from 'unbash';
import { printsNoPattern } from './known-output.ts';
import { staticWord } from './static-word.ts';
import { isHarmlessVariable } from './variables.ts';

/** What stands for the part of a file's name that a `*` or `?` leaves to the files that there are. */
export const ANY_NAME = '\u0001';

/** A word that could be more texts than this counts as unknown. */
const MAX_TEXTS = 64;

/** A text that a word may become, with {@link ANY_NAME} for what a pattern leaves open. */
export interface WordText {
  readonly text: string;
  /** Whether white space in it would cut it into more words. */
  readonly splits: boolean;
  /** True for a pattern without quotes: it becomes one word for each file that it fits. */
  readonly isPattern: boolean;
}

/**
 * The texts that a word may become. Otherwise only the running shell knows: `one` word, several `words`, or `any`, which
 * may also be patterns of files.
 */
export type WordValues = readonly WordText[] | 'one' | 'words' | 'any';

/** A pattern without quotes. */
const PATTERN: readonly WordText[] = [{ text: ANY_NAME, splits: false, isPattern: true }];

/** What is known about variables where a word stands. */
export interface WordScope {
  readonly home: string;
  readonly variables: ReadonlyMap<string, WordValues>;
  /** Told where the name of the folder is cut into words, as in `$PWD` without quotes. */
  readonly splitFolder?: () => void;
}

/** Most words: nothing in them means anything to the shell. */
const PLAIN = /^[\w./:@%+,-]+$/;

/** The words that one word of a line becomes: braces make several, a variable has the values that the line gave it. */
export function expandWord(word: Word, scope: WordScope): readonly WordValues[] {
  const { text, parts } = word;
  if (!parts && PLAIN.test(text)) return [known(text)];
  if (/\uFFFD|[=:]~/.test(text)) return ['any'];
  if (text.includes('\\\n')) {
    const joined = staticWord(word, scope.home);
    return [joined === undefined ? 'any' : known(joined)];
  }
  if (!parts) {
    if (!text.startsWith('~')) return [known(word.value)];
    return [/^~(?:\/|$)/.test(text) ? known(scope.home + word.value.slice(1)) : 'one'];
  }
  if (parts.some(({ type }) => type === 'BraceExpansion')) return expandBraces(parts, text);
  const values = joinParts(parts, scope, false);
  if (!text.startsWith('~') || typeof values === 'string') return [values];
  if (!text.startsWith('~/')) return [values.some(({ isPattern }) => isPattern) ? 'any' : 'one'];
  return [values.map((value) => ({ ...value, text: scope.home + value.text.slice(1) }))];
}

/** The variables whose values a piece of syntax shows. */
export function variableOf(part: WordPart): string | undefined {
  if (part.type === 'SimpleExpansion') return part.text.slice(1);
  return part.type === 'ParameterExpansion' ? part.parameter : undefined;
}

function known(text: string): readonly WordText[] {
  return [{ text, splits: false, isPattern: false }];
}

/** `a{b,c}d*` and nothing more difficult. */
function expandBraces(parts: readonly WordPart[], text: string): readonly WordValues[] {
  // Without a pattern, a variable or a home folder it is at least certain that these are words.
  const unknown = /[~*?[\\$`]/.test(text) ? 'any' : 'words';
  if (text.includes('~')) return [unknown];
  let words: readonly WordText[] = known('');
  for (const part of parts) {
    const choices = part.type === 'BraceExpansion' ? bracesOf(part.text) : textOf(part);
    if (!choices) return [unknown];
    words = words.flatMap((before) => choices.map((choice) => joinTexts(before, choice)));
    if (words.length > MAX_TEXTS) return [unknown];
  }
  return words.map((word) => [word]);
}

function textOf(part: WordPart): readonly WordText[] | undefined {
  if (part.type === 'Literal' || part.type === 'SingleQuoted') return known(part.value);
  return part.type === 'Glob' && !part.text.includes('/') ? PATTERN : undefined;
}

function bracesOf(text: string): readonly WordText[] | undefined {
  const inner = text.slice(1, -1);
  const [, from, to] = /^(\d{1,6})\.\.(\d{1,6})$/.exec(inner) ?? [];
  if (from !== undefined && to !== undefined) {
    const [low, high] = [Number(from), Number(to)];
    if (high < low || high - low >= MAX_TEXTS || /^0./.test(from)) return undefined;
    return Array.from({ length: high - low + 1 }, (_, at) => String(low + at)).flatMap(known);
  }
  return /^[\w./@+,-]*,[\w./@+,-]*$/.test(inner) && !inner.includes('..')
    ? inner.split(',').flatMap(known)
    : undefined;
}

function joinParts(parts: readonly WordPart[], scope: WordScope, isQuoted: boolean): WordValues {
  let joined: readonly WordText[] = [{ text: '', splits: false, isPattern: false }];
  let unknown: 'one' | 'words' | 'any' | undefined;
  let hasPattern = false;
  for (const part of parts) {
    const values = partValues(part, scope, isQuoted);
    if (typeof values === 'string') {
      if (unknown !== 'any' && values !== 'one') unknown = values;
      unknown ??= values;
      continue;
    }
    hasPattern ||= values.some(({ isPattern }) => isPattern);
    if (joined.length * values.length > MAX_TEXTS) unknown ??= 'one';
    else joined = joined.flatMap((before) => values.map((value) => joinTexts(before, value)));
  }
  // In `"$x"/*` the folder is unknown.
  return unknown !== undefined && hasPattern ? 'any' : (unknown ?? joined);
}

function joinTexts(before: WordText, after: WordText): WordText {
  return {
    text: before.text + after.text,
    splits: before.splits || after.splits,
    isPattern: before.isPattern || after.isPattern,
  };
}

const IS_FOLDER = /^(?:OLD)?PWD$/;

function partValues(part: WordPart, scope: WordScope, isQuoted: boolean): WordValues {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return known(part.value);
    case 'Glob':
    case 'ExtendedGlob':
      // The parser takes `[a/b]` for a pattern; bash looks for a folder `[a`.
      return part.text.includes('/') ? 'any' : PATTERN;
    case 'DoubleQuoted':
    case 'LocaleString':
      return joinParts(part.parts, scope, true);
    case 'ProcessSubstitution':
      return known('/dev/stdin');
    case 'ArithmeticExpansion':
      return 'one';
    case 'SimpleExpansion':
      if (!isQuoted && IS_FOLDER.test(part.text.slice(1))) scope.splitFolder?.();
      return variableValues(part.text.slice(1), scope, isQuoted);
    case 'ParameterExpansion': {
      const { parameter } = part;
      if (!isQuoted && IS_FOLDER.test(parameter) && part.prefix !== '#') scope.splitFolder?.();
      if (!part.operation && !part.index && !part.prefix) return variableValues(parameter, scope, isQuoted);
      if (isQuoted) return parameter === '@' ? 'any' : 'one';
      return part.index || part.prefix || mayHoldPattern(parameter, scope) || addsPattern(part)
        ? 'any'
        : 'words';
    }
    case 'CommandExpansion':
      return isQuoted ? 'one' : printsNoPattern(part) ? 'words' : 'any';
    default:
      return isQuoted ? 'one' : 'any';
  }
}

function variableValues(name: string, { home, variables }: WordScope, isQuoted: boolean): WordValues {
  if (/^[?#$]$/.test(name)) return 'one';
  const values =
    variables.get(name) ?? (name === 'HOME' ? known(home) : name === 'PWD' ? known('.') : undefined);
  if (values === undefined || typeof values === 'string') {
    if (isQuoted) return name === '@' ? 'any' : 'one';
    return values === undefined && isHarmlessVariable(name) ? 'words' : 'any';
  }
  if (isQuoted) return values.map(({ text }) => ({ text, splits: false, isPattern: false }));
  if (values.some(({ text }) => text === '' || /[\s[\\]/.test(text))) return 'any';
  return values.map(({ text: value }) => {
    const text = value.replace(/[*?]/g, ANY_NAME);
    return { text, splits: true, isPattern: text.includes(ANY_NAME) };
  });
}

/** Whether an expansion puts a text in the place of the value that is a pattern, or that nobody knows: `${x:-*}`. */
function addsPattern({ operation }: ParameterExpansionPart): boolean {
  const added =
    operation?.type === 'Default'
      ? operation.operand
      : operation?.type === 'Replace'
        ? operation.replacement
        : undefined;
  return added !== undefined && /[^\w\s./:@%+,=-]/.test(added.text);
}

/** Whether the value of a variable could be taken for a pattern of files, apart from names of files that look like one. */
function mayHoldPattern(name: string, { variables }: WordScope): boolean {
  const values = variables.get(name);
  if (values === undefined) return !isHarmlessVariable(name);
  return typeof values === 'string' || values.some(({ text }) => /[*?[\\]/.test(text));
}
