import { hasOperandFirst, joinsArguments, programKind, startsFinderRun } from './programs.ts';
import { MAX_COMMAND_LENGTH } from './readable.ts';
import { readShellLine, type ShellCommand, type ShellLine } from './shell-line.ts';
import type { ShellWord } from './static-word.ts';

/** How much text inside commands is followed; what is hidden deeper counts as unknown. */
export const MAX_INNER_LENGTH = 5 * MAX_COMMAND_LENGTH;

/** A command that only the running shell knows. */
const UNKNOWN: ShellCommand = {
  words: [undefined],
  source: 'a command that is only known when it runs',
  stdin: [],
  values: ['any'],
  feeders: [],
  redirects: [],
  isRequired: false,
};

/** What a command runs in turn: words of its own, or text that a shell will read. */
type Inner = { readonly words: readonly ShellWord[] } | { readonly script: ShellWord };

/**
 * The commands of a line and those that they would run: behind `sudo`, `xargs` or `find -exec`, in the text given to
 * `bash -c`, `eval` or `trap`. It rather names a command that does not run than misses one that does.
 */
export function revealCommands(line: ShellLine, home: string): readonly ShellCommand[] {
  const before = revealed.get(line);
  if (before) return before;
  const found = reveal(line, home);
  revealed.set(line, found);
  return found;
}

/** A line is judged several times in a row. */
const revealed = new WeakMap<ShellLine, readonly ShellCommand[]>();

function reveal(line: ShellLine, home: string): readonly ShellCommand[] {
  const found = [...commandsOf(line)];
  let followed = 0;
  for (const outer of found) {
    for (const inner of innerOf(outer)) {
      followed += 'script' in inner ? (inner.script?.length ?? 0) : inner.words.join(' ').length;
      if (followed > MAX_INNER_LENGTH) return [...found, UNKNOWN];
      if ('words' in inner) found.push({ ...outer, words: inner.words });
      else if (inner.script === undefined) found.push(UNKNOWN);
      else found.push(...commandsOf(readShellLine(inner.script, home)));
    }
  }
  return found;
}

function commandsOf(line: ShellLine): readonly ShellCommand[] {
  return line.unreadable === undefined && !line.hidesCode ? line.commands : [...line.commands, UNKNOWN];
}

function* innerOf(command: ShellCommand): Generator<Inner> {
  const { words } = command;
  const [program, ...args] = words;
  if (program === undefined) return;
  switch (programKind(program)) {
    case 'plain':
      // `git -C folder push` is `git push` to a rule that forbids to push.
      if (!args[0]?.startsWith('-')) return;
      for (const { at } of startsBehindOptions(words)) if (at) yield { words: [program, ...words.slice(at)] };
      return;
    case 'finder':
      for (const [at, arg] of args.entries()) if (startsFinderRun(arg)) yield { words: args.slice(at + 1) };
      return;
    case 'evaluator':
      if (program === 'alias') for (const arg of args) yield { script: arg?.slice(arg.indexOf('=') + 1) };
      return;
    case 'wrapper':
      if (!isQuery(words)) yield* runsBehindOptions(words);
      return;
    case 'shell':
      yield* runsBehindOptions(words);
      yield* command.stdin.map((script) => ({ script }));
      if (command.stdin.length === 0 && readsInput(args)) yield { script: undefined };
  }
}

/** Whether a shell called with these arguments takes its script from a pipe. */
function readsInput(args: readonly ShellWord[]): boolean {
  const first = args.findIndex(
    (arg, at) => !/^[-+]/.test(arg ?? '') && !/^[-+]o$|file$/i.test(args[at - 1] ?? ''),
  );
  const options = first === -1 ? args : args.slice(0, first);
  if (options.some((option) => /^-[a-z]*s/.test(option ?? ''))) return true;
  return first === -1 || /^\/(?:dev|proc)\//.test(args[first] ?? '');
}

/** `command -v rm` looks a command up and does not run it. */
function isQuery([program, option]: readonly ShellWord[]): boolean {
  return program === 'command' && option !== undefined && /^-p?[vV]$/.test(option);
}

function* runsBehindOptions(words: readonly ShellWord[]): Generator<Inner> {
  for (const { at, value } of startsBehindOptions(words)) {
    const rest = at === undefined ? [value] : words.slice(at);
    if (at !== undefined) yield { words: rest };
    const joined = rest.includes(undefined) ? undefined : rest.join(' ');
    yield { script: joinsArguments(words[0] ?? '') ? joined : rest[0] };
    // `env -S` splits its text into arguments of its own.
    if (rest[0] !== undefined && /\s/.test(rest[0])) yield { words: [words[0], ...rest[0].split(/\s+/)] };
  }
}

/**
 * Every place where a command can start among a wrapper's arguments. Which options take a value is not known here, so a
 * word after an option is a possible value and a possible command, and a value within an option a possible script.
 */
function* startsBehindOptions(words: readonly ShellWord[]): Generator<{ at?: number; value?: string }> {
  let operands = hasOperandFirst(words[0] ?? '') ? 1 : 0;
  let previous: 'option' | 'word' = 'word';
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (word !== undefined && /^[-+]/.test(word)) {
      const value = /^(?:--[^=]*=|-[^-])(.+)$/s.exec(word)?.[1];
      if (value !== undefined) yield { value };
      previous = word === '-' || word === '--' || word.includes('=') ? 'word' : 'option';
      continue;
    }
    yield { at };
    // A variable for the command, or an unknown word that may stand for options: the command can still follow.
    if (word === undefined || word.includes('=')) continue;
    if (previous === 'option') previous = 'word';
    else if (operands-- === 0) return;
  }
}
