import { guardedArguments, programKind } from './programs.ts';
import type { ShellCommand, ShellLine } from './shell-line.ts';
import type { ShellWord } from './static-word.ts';

/** A line with more different commands than this is offered as a whole or not at all. */
const MAX_PREFIXES = 5;

/** A longer line is not offered as a whole: a person could not read what they agree to. */
const MAX_SPELLED_LENGTH = 200;

/** Programs that are told what to do by their second word. */
const BY_SUBCOMMAND = new Set(
  'apt brew bundle bun cargo composer conda deno docker dotnet git go gradle helm just kubectl make mvn npm php pip'
    .concat(' pip3 pnpm podman poetry rake rustup systemctl terraform turbo uv yarn')
    .split(' '),
);

/** Programs that are told what to do by their second and third word. */
const BY_TOPIC = new Set(['aws', 'az', 'gcloud', 'gh']);

/** Programs that run the script they are given: only with that script's name. */
const INTERPRETERS = new Set('java lua node perl python python3 Rscript ruby ts-node tsx'.split(' '));

/** Programs that are remembered word for word only. */
const WORD_FOR_WORD = new Set('chmod chown curl dd kill killall mkfs npx pkill rm scp shred wget'.split(' '));

/** The contents of Bash rules that would cover this line: a prefix for each command, else the whole line. */
export function suggestCommands(line: ShellLine): readonly string[] {
  const prefixes = new Set(line.commands.map(prefixOf));
  if (line.hazards.length === 0 && prefixes.size <= MAX_PREFIXES && !prefixes.has(undefined)) {
    return [...prefixes].filter((prefix) => prefix !== undefined);
  }
  const whole = line.text.trim();
  return /[*\n]/.test(whole) || whole.length > MAX_SPELLED_LENGTH ? [] : [whole];
}

function prefixOf({ words }: ShellCommand): string | undefined {
  const [program = ''] = words;
  const kind = programKind(program);
  if ((kind !== 'plain' && kind !== 'finder') || WORD_FOR_WORD.has(program)) return undefined;
  if (guardedArguments(words).length > 0) return undefined;
  const length = tellingWords(words);
  const telling = words.slice(0, length);
  return telling.length === length && telling.every(isPlain) ? `${telling.join(' ')}:*` : undefined;
}

/** How many words say what a command does. */
function tellingWords([program = '', second]: readonly ShellWord[]): number {
  if (BY_TOPIC.has(program)) return 3;
  if (INTERPRETERS.has(program)) return 2;
  if (!BY_SUBCOMMAND.has(program)) return 1;
  return second !== undefined && /^(?:compose|dlx|exec|run|tool|x)$/.test(second) ? 3 : 2;
}

/** A word that needs no quotes in a rule and is no option. */
function isPlain(word: ShellWord): word is string {
  return word !== undefined && /^[\w@%+,./:=[][\w@%+,./:=\]-]*$/.test(word);
}
