import type { Assignment, Word, WordPart } from 'unbash';

/** A word of a command: its text after quote removal, or undefined when only the running shell can know it. */
export type ShellWord = string | undefined;

/** What a word is sure to become, whatever variables, files and outputs there are. */
export function staticWord(word: Word, home: string): ShellWord {
  const value = word.parts ? joinParts(word.parts) : word.value;
  // U+FFFD stands for bytes that have no character: the real word is another one.
  if (value === undefined || value.includes('\uFFFD')) return undefined;
  // Bash also expands the tilde in arguments that look like an assignment.
  if (/[=:]~/.test(word.text)) return undefined;
  if (!word.text.startsWith('~')) return value;
  return /^~(?:\/|$)/.test(word.text) ? home + value.slice(1) : undefined;
}

/** The same for an assignment that is an argument (`export X=1`). */
export function staticAssignment(assignment: Assignment, home: string): ShellWord {
  if (assignment.value.type === 'ArrayValue' || assignment.index) return undefined;
  const value = staticWord(assignment.value, home);
  return value === undefined ? undefined : `${assignment.name}${assignment.append ? '+' : ''}=${value}`;
}

/** The text of a word that no expansion will replace, joined: what could be evaluated if something evaluates it. */
export function literalText(word: Word): string {
  return word.parts ? word.parts.map(literalPart).join('') : word.value;
}

function joinParts(parts: readonly WordPart[]): ShellWord {
  let value = '';
  for (const part of parts) {
    const text = staticPart(part);
    if (text === undefined) return undefined;
    value += text;
  }
  return value;
}

function literalPart(part: WordPart): string {
  return part.type === 'DoubleQuoted' || part.type === 'LocaleString'
    ? part.parts.map(literalPart).join('')
    : (staticPart(part) ?? '');
}

function staticPart(part: WordPart): ShellWord {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return part.value;
    case 'AnsiCQuoted':
      // The parser joins lines here, bash does not.
      return part.text.includes('\\\n') ? undefined : part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return joinParts(part.parts);
    default:
      return undefined;
  }
}
