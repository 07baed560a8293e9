import { SignalboxError } from '@signalbox/protocol';
import { HubApi, type Profile } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { assignmentsIn } from './profiles/assignments.ts';
import { hiddenAnswer, stdinText } from './profiles/secret-input.ts';
import { fittedTable } from './text-table.ts';
import { ageWords } from './time-words.ts';
import { roomOf } from './wrap-words.ts';

const HELP = `Usage: signalbox profiles [options]
       signalbox profiles set <name> <VAR>…
       … | signalbox profiles set <name>
       signalbox profiles unset <name> <VAR>…
       signalbox profiles rm <name>

Variables and secrets that agents are started with: signalbox run --profile NAME. The hub keeps them
in a file that only its owner can read. They can be replaced, but never read back.

set asks for the value of each variable without showing it. Piped in, it takes the value of one
variable, or, if none is named, lines of NAME=value. Values are never taken from the command line:
other users of the machine could read them there, and shells keep a history.

  --json             print the result as JSON
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof readCommand<typeof OPTIONS>>['values'];

const SHAPE = {
  columns: ['PROFILE', 'VARIABLES', 'CHANGED'],
  leftOut: ['CHANGED'],
  cut: { column: 'VARIABLES', least: 16, most: 80 },
} as const;

/** Nothing was said that could be kept. */
export class NoValueError extends SignalboxError {
  constructor() {
    super('PROFILE_NO_VALUE', 'No value was given, and nothing was changed.');
  }
}

/** Run `signalbox profiles …`. */
export async function runProfiles(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('profiles', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [word, name = '', ...variables] = positionals;
  const isWhole = word === undefined || (name !== '' && (word !== 'rm' || variables.length === 0));
  if (
    !isWhole ||
    !['set', 'unset', 'rm', undefined].includes(word) ||
    (word === 'unset' && variables.length === 0)
  )
    throw new CommandOptionsError(
      'profiles',
      'Say set <name> <VAR>…, unset <name> <VAR>…, rm <name>, or nothing.',
    );
  // Not quoted: it would be in the terminal once more.
  if (variables.some((variable) => variable.includes('=')))
    throw new CommandOptionsError(
      'profiles',
      'Name the variable alone: its value is asked for, or piped in.',
    );
  const api = new HubApi(addressOf(await findHub(options)));
  if (word === undefined) return list(api, options);
  if (word === 'rm') return say(await api.removeProfile(name), 'removed', options);
  const change =
    word === 'unset' ? Object.fromEntries(variables.map((one) => [one, null])) : await valuesFor(variables);
  return say(await api.setProfile(name, change), 'kept', options);
}

async function valuesFor(variables: readonly string[]): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  if (!process.stdin.isTTY) {
    const text = await stdinText();
    const [only, ...others] = variables;
    if (only === undefined) Object.assign(values, assignmentsIn(text));
    else if (others.length === 0) values[only] = text.replace(/\r?\n$/, '');
    else
      throw new CommandOptionsError(
        'profiles',
        'Pipe in one value for one variable, or lines of NAME=value for none.',
      );
  } else if (variables.length === 0)
    throw new CommandOptionsError('profiles', 'Name the variables whose values are to be asked for.');
  else for (const variable of variables) values[variable] = await hiddenAnswer(`${harmless(variable)}: `);
  if (Object.keys(values).length === 0 || Object.values(values).some((value) => value === ''))
    throw new NoValueError();
  return values;
}

async function list(api: HubApi, { json }: Options): Promise<number> {
  const profiles = await api.profiles();
  if (json) process.stdout.write(`${JSON.stringify(profiles, undefined, 2)}\n`);
  else if (profiles.length === 0)
    process.stdout.write(`No profiles. ${commandHere('profiles set work ANTHROPIC_API_KEY')} makes one.\n`);
  else {
    const rows = profiles.map(({ name, variables, updatedAt }) => ({
      PROFILE: harmless(name),
      VARIABLES: harmless(variables.join(', ')),
      CHANGED: ageWords(Date.now() - updatedAt),
    }));
    process.stdout.write(`${fittedTable(SHAPE, rows, roomOf(process.stdout))}\n`);
  }
  return 0;
}

function say(profile: Profile, what: string, { json }: Options): number {
  const { name, variables } = profile;
  const words = `${what} ${harmless(name)}: ${harmless(variables.join(', ')) || 'no variables'}`;
  process.stdout.write(json ? `${JSON.stringify(profile, undefined, 2)}\n` : `${words}\n`);
  return 0;
}
