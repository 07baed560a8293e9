import { PermissionRuleError } from '../rule-error.ts';
import { matchesPieces } from '../wildcard.ts';
import { splitPattern, WILDCARD, WORD_BREAK } from './pattern-words.ts';
import { baseName, guardedArguments, programKind } from './programs.ts';
import { changedRun } from './runner-options.ts';
import type { ShellCommand } from './shell-line.ts';
import type { ShellWord } from './static-word.ts';
import { ANY_NAME } from './word-values.ts';

/** `maybe`: the command has words that are only known when it runs, and they could make it match. */
export type Verdict = 'yes' | 'maybe' | 'no';

/** A Bash rule's content, ready to be compared. */
export interface CommandPattern {
  readonly content: string;
  /** What stands around each `*`, in the text as written and in its words without their quotes. */
  readonly writtenPieces: readonly string[];
  readonly wordPieces: readonly string[];
  /** The words of a command that a trailing ` *` or `:*` also matches without arguments. */
  readonly bareWords: string | undefined;
  /** The words without a `*`, and the first word if it is one of them. */
  readonly spelled: readonly string[];
  readonly program: string | undefined;
}

const UNKNOWN_WORD = '\u0002';

/** Reads `npm test`, `git:*`, `npm run *` or `git log * main`; throws {@link PermissionRuleError}. */
export function parseCommandPattern(content: string, home: string): CommandPattern {
  if (/\p{Cc}/u.test(content.replace(/[\t\n]/g, ''))) {
    throw new PermissionRuleError(content, 'contains a control character');
  }
  const prefix = /^(.*)(?::| )\*$/s.exec(content)?.[1];
  const body = (prefix ?? content).trim();
  if (body === '') throw new PermissionRuleError(content, 'names no command');
  const words = splitPattern(body, home);
  const text = words.join(WORD_BREAK);
  const tail = prefix === undefined ? '' : WORD_BREAK + WILDCARD;
  const [program] = words;
  return {
    content: content.trim(),
    writtenPieces: (prefix === undefined ? body : `${body} *`).split(/(?<!\\)\*/),
    wordPieces: (text + tail).split(WILDCARD),
    bareWords: prefix !== undefined && !text.includes(WILDCARD) ? text : undefined,
    spelled: words.filter((word) => !word.includes(WILDCARD)),
    program: program?.includes(WILDCARD) ? undefined : program,
  };
}

/** Whether an allow rule covers the command as it is written: nothing behind a wrapper, nothing unknown. */
export function allowsCommand(pattern: CommandPattern, command: ShellCommand): boolean {
  const [program] = command.words;
  if (program === undefined) return false;
  if (command.source.trim() === pattern.content) return true;
  if (programKind(program) !== 'plain' && program !== pattern.program) return false;
  if (!spellsOut(pattern, likelyWords(command))) return false;
  return matchesWords(pattern, command.words.map((word) => word ?? UNKNOWN_WORD).join(WORD_BREAK));
}

/** Whether a rule has all words that it has to spell out, as often as the command has them: `-o a` is not `-o a -o b`. */
function spellsOut({ spelled }: CommandPattern, words: readonly ShellWord[]): boolean {
  const [program = '', ...args] = words;
  // Whoever allows all of a program allows it to run anything.
  const changed = spelled.length > 1 ? changedRun(baseName(program), args, spelled) : [];
  const guarded = [...guardedArguments(words), ...changed];
  if (guarded.length === 0) return true;
  const left = [...spelled];
  return guarded.every((word) => {
    const at = word === undefined ? -1 : left.indexOf(word);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
}

/** The words, with a value that the line itself gives for those that it does: none of them can be an option. */
function likelyWords({ words, values }: ShellCommand): readonly ShellWord[] {
  if (words.length !== values.length) return words;
  return words.map((word, at) => {
    const texts = values[at] ?? 'any';
    if (word !== undefined || typeof texts === 'string') return word;
    return texts.some(({ text, splits }) => splits || text.startsWith('-') || text.includes(ANY_NAME))
      ? undefined
      : texts[0]?.text;
  });
}

/** Whether a deny or ask rule catches the command, whatever folder its program is called from. */
export function catchesCommand(pattern: CommandPattern, command: ShellCommand): Verdict {
  const [program, ...args] = command.words;
  if (program === undefined) return 'maybe';
  if (catchesText(pattern, command.source)) return 'yes';
  const unknownAt = args.indexOf(undefined);
  let verdict: Verdict = 'no';
  for (const name of new Set([program, program.slice(program.lastIndexOf('/') + 1), baseName(program)])) {
    if (matchesWords(pattern, [name, ...args.map((word) => word ?? UNKNOWN_WORD)].join(WORD_BREAK)))
      return 'yes';
    if (unknownAt === -1) continue;
    const known = [name, ...args.slice(0, unknownAt), ''].join(WORD_BREAK);
    const start = pattern.wordPieces[0] ?? '';
    if (known.startsWith(start) || start.startsWith(known)) verdict = 'maybe';
  }
  return verdict;
}

/** Whether a deny or ask rule describes a text as it is written, such as `curl * | sh` a whole line. */
export function catchesText(pattern: CommandPattern, text: string): boolean {
  return text.trim() === pattern.content || matchesPieces(pattern.writtenPieces, text.trim());
}

function matchesWords(pattern: CommandPattern, words: string): boolean {
  return words === pattern.bareWords || matchesPieces(pattern.wordPieces, words);
}
