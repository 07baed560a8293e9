import { guardedArguments } from './programs.ts';
import { READING_GIT } from './reading-git.ts';
import type { ReadingProgram } from './reading-options.ts';
import { READING_PROGRAMS } from './reading-programs.ts';
import type { ShellCommand, ShellLine } from './shell-line.ts';
import type { ShellWord } from './static-word.ts';

/** A line with more different commands than this is offered as a whole or not at all. */
const MAX_PREFIXES = 5;

/** A longer line is not offered as a whole: a person could not read what they agree to. */
const MAX_SPELLED_LENGTH = 200;

/** Subcommands that only read whatever arguments they get, beside those of git. */
const READING_SUBCOMMANDS = [
  /^gh (?:pr|issue|run|release|workflow) (?:view|list)$/,
  /^gh pr (?:diff|checks|status)$/,
  /^gh issue status$/,
];

/** The contents of Bash rules that would cover this line: a prefix for each command, else the whole line. */
export function suggestCommands(line: ShellLine): readonly string[] {
  const prefixes = new Set(line.commands.map(prefixOf));
  if (line.hazards.length === 0 && prefixes.size <= MAX_PREFIXES && !prefixes.has(undefined)) {
    return [...prefixes].filter((prefix) => prefix !== undefined);
  }
  const whole = line.text.trim();
  return /[*\n]/.test(whole) || whole.length > MAX_SPELLED_LENGTH ? [] : [whole];
}

/** The words that a rule may have followed by anything: only for what is known to read whatever comes after them. */
function prefixOf({ words }: ShellCommand): string | undefined {
  if (guardedArguments(words).length > 0) return undefined;
  const telling = tellingWords(words);
  return telling?.every(isPlain) ? `${telling.join(' ')}:*` : undefined;
}

function tellingWords([program = '', second, third]: readonly ShellWord[]): readonly ShellWord[] | undefined {
  if (program === 'git') return isReading(READING_GIT, second) ? [program, second] : undefined;
  if (isReading(READING_PROGRAMS, program) || /^(?:find|test|\[|printf)$/.test(program)) return [program];
  const topic = `${program} ${second} ${third}`;
  return READING_SUBCOMMANDS.some((known) => known.test(topic)) ? [program, second, third] : undefined;
}

function isReading(rows: Readonly<Record<string, ReadingProgram>>, name: ShellWord): boolean {
  return name !== undefined && Object.hasOwn(rows, name) && rows[name]?.anyArgument === true;
}

/** A word that needs no quotes in a rule and is no option. */
function isPlain(word: ShellWord): word is string {
  return word !== undefined && /^[\w@%+,./:=[][\w@%+,./:=\]-]*$/.test(word);
}
