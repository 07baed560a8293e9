import { UsageError } from '../base/agent-errors.ts';
import { type Flag, type FlagName, flagSpelled } from './flags.ts';

/** The command line, taken apart: what each flag was given, and what is no flag. */
export interface ParsedFlags {
  flags: ReadonlyMap<FlagName, readonly string[]>;
  rest: readonly string[];
}

/** Take a command line apart, all of it or the flags that it begins with. Both `--flag value` and `--flag=value` are understood; after `--` nothing is a flag. */
export function parseFlags(
  argv: readonly string[],
  range: 'all' | 'up to the first word' = 'all',
): ParsedFlags {
  const flags = new Map<FlagName, string[]>();
  const rest: string[] = [];
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      if (range === 'all') rest.push(...words);
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      rest.push(word);
      if (range === 'all') continue;
      rest.push(...words);
      break;
    }
    const [spelling, attached] = splitAttached(word);
    const flag = flagSpelled(spelling);
    if (!flag) throw new UsageError(`Unknown option ${spelling}. Try --help.`);
    flags.set(flag.name, [...(flags.get(flag.name) ?? []), ...valuesOf(flag, spelling, attached, words)]);
  }
  return { flags, rest };
}

function splitAttached(word: string): [string, string?] {
  const equals = word.indexOf('=');
  return word.startsWith('--') && equals !== -1 ? [word.slice(0, equals), word.slice(equals + 1)] : [word];
}

function valuesOf(flag: Flag, spelling: string, attached: string | undefined, words: string[]): string[] {
  switch (flag.takes) {
    case 'nothing':
      if (attached !== undefined) throw new UsageError(`${spelling} takes no value.`);
      return [];
    case 'optional-value':
      if (attached !== undefined) return [attached];
      return words[0] === undefined || words[0].startsWith('-') ? [] : words.splice(0, 1);
    case 'value': {
      const value = attached ?? words.shift();
      if (value === undefined) throw new UsageError(`${spelling} needs a value: ${flag.value ?? 'value'}.`);
      return [value];
    }
    case 'values': {
      if (attached !== undefined) return [attached];
      const next = words.findIndex((word) => word.startsWith('-'));
      return words.splice(0, next === -1 ? words.length : next);
    }
  }
}
