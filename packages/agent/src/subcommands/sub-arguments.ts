import { UsageError } from '../base/agent-errors.ts';

/** The options of a subcommand, by all their spellings. A `list` takes every word up to the next option. */
export type OptionSpellings = Readonly<Record<string, { name: string; takes: 'value' | 'list' | 'nothing' }>>;

/** A subcommand's words, taken apart as `claude` does. */
export interface SubArguments {
  readonly words: readonly string[];
  readonly options: ReadonlyMap<string, readonly string[]>;
}

/** Throws `UsageError` in the words of `claude`, which scripts may look for. After `--` nothing is an option. */
export function subArguments(argv: readonly string[], spellings: OptionSpellings): SubArguments {
  const words: string[] = [];
  const options = new Map<string, string[]>();
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      words.push(...rest);
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const [spelling = word, ...attached] = word.startsWith('--') ? word.split('=') : [word];
    const option = Object.hasOwn(spellings, spelling) ? spellings[spelling] : undefined;
    if (!option) throw new UsageError(`error: unknown option '${spelling}'`);
    const values = attached.length > 0 ? [attached.join('=')] : valuesAfter(rest, option.takes);
    if (values.length === 0 && option.takes !== 'nothing')
      throw new UsageError(`error: option '${spelling}' argument missing`);
    options.set(option.name, [...(options.get(option.name) ?? []), ...values]);
  }
  return { words, options };
}

/** The words that a subcommand cannot do without. */
export function required(words: readonly string[], ...names: string[]): string[] {
  return names.map((name, index) => {
    const word = words[index];
    if (word === undefined) throw new UsageError(`error: missing required argument '${name}'`);
    return word;
  });
}

function valuesAfter(rest: string[], takes: 'value' | 'list' | 'nothing'): string[] {
  if (takes === 'nothing') return [];
  if (takes === 'value') return rest.splice(0, 1);
  const next = rest.findIndex((word) => word.startsWith('-'));
  return rest.splice(0, next === -1 ? rest.length : next);
}
