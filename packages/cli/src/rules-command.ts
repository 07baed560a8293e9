import { resolve } from 'node:path';
import { SignalboxError } from '@signalbox/protocol';
import { HubApi, type NewRule } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { everyItem } from './hub/every-item.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickById } from './hub/pick-by-id.ts';
import { pickSession } from './hub/pick-session.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { backtestWords, ruleTable, ruleWords, suggestionWords } from './rules/rule-words.ts';
import { roomOf } from './wrap-words.ts';

const HELP = `Usage: signalbox rules [options]
       signalbox rules add <rule> --allow | --deny | --ask
       signalbox rules test <rule> --allow | --deny | --ask
       signalbox rules suggest
       signalbox rules rm <id>

Rules answer permission questions before people see them. They are written like those of agents, such
as "Bash(npm test:*)", "Edit(./src/**)" or "mcp__github"; deny beats ask beats allow. test shows what
a rule would have done to all past questions, and exits with 1 if that contradicts an answer that
somebody gave. suggest proposes rules from what people have answered. rm takes the start of an id.

  --allow            allow it; --deny: refuse it; --ask: ask people, even if another rule allows it
  --folder DIR       only for agents that the hub started in this folder or below
  --session ID       only for this session; when listing, the rules that apply to it
  --json             print the result as JSON
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  allow: { type: 'boolean' },
  deny: { type: 'boolean' },
  ask: { type: 'boolean' },
  folder: { type: 'string' },
  session: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof readCommand<typeof OPTIONS>>['values'];

/** Each gives the exit code. */
const ACTIONS: Record<string, (api: HubApi, named: string, options: Options) => Promise<number>> = {
  add,
  test,
  rm: remove,
};

/** No rule, or more than one, is meant by what was said. */
export class RuleUnclearError extends SignalboxError {
  constructor(problem: string) {
    super('RULE_UNCLEAR', `${problem} ${commandHere('rules')} lists them.`);
  }
}

/** Run `signalbox rules …`. */
export async function runRules(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('rules', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [word, named, ...rest] = positionals;
  const takesName = word !== undefined && word !== 'suggest';
  const action = takesName ? ACTIONS[word] : undefined;
  if (rest.length > 0 || takesName !== (action !== undefined) || takesName !== (named !== undefined))
    throw new CommandOptionsError(
      'rules',
      'Say add <rule>, test <rule>, rm <id> or suggest; a rule goes in quotes.',
    );
  if (word === 'add' || word === 'test') behaviorIn(options);
  const api = new HubApi(addressOf(await findHub(options)));
  if (action && named !== undefined) return action(api, named, options);
  return word === 'suggest' ? suggest(api, options) : list(api, options);
}

async function list(api: HubApi, { session: start, json }: Options): Promise<number> {
  const session = start === undefined ? {} : { session: (await pickSession(api, start)).id };
  const rules = await everyItem((page) => api.rules({ ...page, ...session }));
  if (json) return say(rules);
  process.stdout.write(
    rules.length === 0
      ? `No rules: people are asked everything. ${commandHere('rules suggest')} proposes some.\n`
      : `${ruleTable(rules, roomOf(process.stdout))}\n`,
  );
  return 0;
}

async function add(api: HubApi, named: string, options: Options): Promise<number> {
  const { rule, overrules } = await api.addRule(await ruleIn(api, named, options));
  if (options.json) return say({ rule, overrules });
  const without = overrules.map((other) => `  no effect any more: ${ruleWords(other)}\n`);
  process.stdout.write(`added ${ruleWords(rule)}\n${without.join('')}`);
  return 0;
}

async function test(api: HubApi, named: string, options: Options): Promise<number> {
  const tested = await api.testRule(await ruleIn(api, named, options));
  if (options.json) say(tested);
  else process.stdout.write(backtestWords(tested));
  return tested.against.length > 0 ? 1 : 0;
}

async function suggest(api: HubApi, { json }: Options): Promise<number> {
  const items = await api.suggestRules();
  if (json) return say(items);
  process.stdout.write(
    items.length === 0
      ? 'Nothing to propose: it takes three calls of a kind that people have always allowed, or always denied.\n'
      : items.map(suggestionWords).join(''),
  );
  return 0;
}

async function remove(api: HubApi, start: string, { json }: Options): Promise<number> {
  const rules = await everyItem((page) => api.rules(page));
  const rule = await api.removeRule(pickById(rules, start, 'rule', RuleUnclearError).id);
  if (json) return say(rule);
  process.stdout.write(`removed ${ruleWords(rule)}\n`);
  return 0;
}

async function ruleIn(api: HubApi, rule: string, options: Options): Promise<NewRule> {
  const { folder, session } = options;
  return {
    rule,
    behavior: behaviorIn(options),
    ...(folder === undefined ? {} : { folder: resolve(folder) }),
    ...(session === undefined ? {} : { session: (await pickSession(api, session)).id }),
  };
}

function behaviorIn({ allow, deny, ask }: Options): NewRule['behavior'] {
  const said = [allow && 'allow', deny && 'deny', ask && 'ask'].filter(isBehavior);
  const [behavior] = said;
  if (behavior === undefined || said.length > 1)
    throw new CommandOptionsError('rules', 'Say one of --allow, --deny and --ask.');
  return behavior;
}

function isBehavior(value: string | false | undefined): value is NewRule['behavior'] {
  return typeof value === 'string';
}

function say(value: unknown): number {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
  return 0;
}
