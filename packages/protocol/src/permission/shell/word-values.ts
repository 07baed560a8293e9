import type { Word, WordPart } from 'unbash';

/** What stands for the part of a file's name that a `*` or `?` leaves to the files that there are. */
export const ANY_NAME = '\u0001';

/** More than so many texts for one word are not followed. */
const MAX_TEXTS = 64;

/** A text that a word may become, with {@link ANY_NAME} for what a pattern leaves open. */
export interface WordText {
  readonly text: string;
  /** Whether white space in it would cut it into more words. */
  readonly splits: boolean;
}

/** The texts that a word may become; `one` or `any` number of words that only the running shell knows. */
export type WordValues = readonly WordText[] | 'one' | 'any';

/** What is known about variables where a word stands. */
export interface WordScope {
  readonly home: string;
  readonly variables: ReadonlyMap<string, WordValues>;
}

/** Most words: nothing in them means anything to the shell. */
const PLAIN = /^[\w./:@%+,-]+$/;

/** The words that one word of a line becomes: braces make several, a variable has the values that the line gave it. */
export function expandWord(word: Word, scope: WordScope): readonly WordValues[] {
  const { text, parts } = word;
  if (!parts && PLAIN.test(text)) return [known(text)];
  if (/\uFFFD|[=:]~|\\\n/.test(text)) return ['any'];
  if (!parts) {
    if (!text.startsWith('~')) return [known(word.value)];
    return [/^~(?:\/|$)/.test(text) ? known(scope.home + word.value.slice(1)) : 'one'];
  }
  if (parts.some(({ type }) => type === 'BraceExpansion')) return expandBraces(parts, text);
  const values = joinParts(parts, scope, false);
  if (!text.startsWith('~') || typeof values === 'string') return [values];
  if (!text.startsWith('~/')) return ['one'];
  return [values.map((value) => ({ ...value, text: scope.home + value.text.slice(1) }))];
}

/** The variables whose values a piece of syntax shows. */
export function variableOf(part: WordPart): string | undefined {
  if (part.type === 'SimpleExpansion') return part.text.slice(1);
  return part.type === 'ParameterExpansion' ? part.parameter : undefined;
}

function known(text: string): WordValues {
  return [{ text, splits: false }];
}

/** `a{b,c}d` and nothing more difficult. */
function expandBraces(parts: readonly WordPart[], text: string): readonly WordValues[] {
  let texts = [''];
  for (const part of parts) {
    if (part.type === 'BraceExpansion') {
      const choices = bracesOf(part.text);
      if (!choices) return ['any'];
      texts = texts.flatMap((before) => choices.map((choice) => before + choice));
    } else if (part.type === 'Literal' || part.type === 'SingleQuoted')
      texts = texts.map((before) => before + part.value);
    else return ['any'];
    if (texts.length > MAX_TEXTS) return ['any'];
  }
  return text.includes('~') ? ['any'] : texts.map(known);
}

function bracesOf(text: string): readonly string[] | undefined {
  const inner = text.slice(1, -1);
  const [, from, to] = /^(\d{1,6})\.\.(\d{1,6})$/.exec(inner) ?? [];
  if (from !== undefined && to !== undefined) {
    const [low, high] = [Number(from), Number(to)];
    if (high < low || high - low >= MAX_TEXTS || /^0./.test(from)) return undefined;
    return Array.from({ length: high - low + 1 }, (_, at) => String(low + at));
  }
  return /^[\w./@+,-]*,[\w./@+,-]*$/.test(inner) && !inner.includes('..') ? inner.split(',') : undefined;
}

function joinParts(parts: readonly WordPart[], scope: WordScope, isQuoted: boolean): WordValues {
  let joined: readonly WordText[] = [{ text: '', splits: false }];
  let unknown: 'one' | 'any' | undefined;
  for (const part of parts) {
    const values = partValues(part, scope, isQuoted);
    if (typeof values === 'string') unknown = unknown === 'any' ? 'any' : values;
    else if (joined.length * values.length > MAX_TEXTS) unknown ??= 'one';
    else
      joined = joined.flatMap((before) =>
        values.map(({ text, splits }) => ({ text: before.text + text, splits: before.splits || splits })),
      );
  }
  return unknown ?? joined;
}

function partValues(part: WordPart, scope: WordScope, isQuoted: boolean): WordValues {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return known(part.value);
    case 'Glob':
    case 'ExtendedGlob':
      return known(ANY_NAME);
    case 'DoubleQuoted':
    case 'LocaleString':
      return joinParts(part.parts, scope, true);
    case 'ProcessSubstitution':
      return known('/dev/stdin');
    case 'ArithmeticExpansion':
      return 'one';
    case 'SimpleExpansion':
      return variableValues(part.text.slice(1), scope, isQuoted);
    case 'ParameterExpansion':
      return part.operation || part.index || part.prefix
        ? isQuoted && part.parameter !== '@'
          ? 'one'
          : 'any'
        : variableValues(part.parameter, scope, isQuoted);
    default:
      return isQuoted ? 'one' : 'any';
  }
}

function variableValues(name: string, { home, variables }: WordScope, isQuoted: boolean): WordValues {
  const values =
    variables.get(name) ?? (name === 'HOME' ? known(home) : name === 'PWD' ? known('.') : undefined);
  if (values === undefined || typeof values === 'string') return isQuoted && name !== '@' ? 'one' : 'any';
  if (isQuoted) return values.map(({ text }) => ({ text, splits: false }));
  if (values.some(({ text }) => text === '' || /[\s*?[\\]/.test(text))) return 'any';
  return values.map(({ text }) => ({ text, splits: true }));
}
