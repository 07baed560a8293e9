import { resolve } from 'node:path';
import { SignalboxError } from '@signalbox/protocol';
import { type Budget, HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickById } from './hub/pick-by-id.ts';
import { pickSession, shortId } from './hub/pick-session.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { amountIn } from './spend/amounts.ts';
import { budgetLine, budgetTable } from './spend/budget-table.ts';
import { roomOf } from './wrap-words.ts';

const HELP = `Usage: signalbox budgets [options]
       signalbox budgets add --usd 5
       signalbox budgets raise <id> --usd 9
       signalbox budgets allow [session]
       signalbox budgets rm <id>

Limits what agents may spend. At 80 % of a budget its sessions show a warning. When it is used up, a
running turn stops after its reply, and prompts wait until the budget is raised, its day is over or
one more turn is allowed. The strictest of several budgets applies. The start of an id is enough.

  --usd AMOUNT       in dollars, as agents report their cost
  --tokens AMOUNT    in tokens (500000, 500k, 2m): input, output and cache writes
  --session ID       for one session, until it is removed
  --folder DIR       for agents in this folder or below (default: for the whole hub)
  --per day|total    per day of the hub's clock, or in total (default: day; total for a session)
  --json             print the result as JSON
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  usd: { type: 'string' },
  tokens: { type: 'string' },
  session: { type: 'string' },
  folder: { type: 'string' },
  per: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof readCommand<typeof OPTIONS>>['values'];

/** No budget, or more than one, is meant by what was said. */
export class BudgetUnclearError extends SignalboxError {
  constructor(problem: string) {
    super('BUDGET_UNCLEAR', `${problem} ${commandHere('budgets')} lists them.`);
  }
}

/** Run `signalbox budgets …`. */
export async function runBudgets(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('budgets', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [word = 'list', named, ...rest] = positionals;
  const work = workOf(word, named, options);
  if (!work || rest.length > 0)
    throw new CommandOptionsError('budgets', 'Say add, raise <id>, allow [session] or rm <id>, or nothing.');
  return work(new HubApi(addressOf(await findHub(options))));
}

/** What is to be done: all that is wrong with the words is said before a hub is looked for. */
function workOf(
  word: string,
  named: string | undefined,
  options: Options,
): ((api: HubApi) => Promise<number>) | undefined {
  const amounts = amountsIn(options);
  if (word === 'allow') return (api) => allow(api, named ?? options.session, options);
  if (word === 'list' && named === undefined) return (api) => list(api, options);
  if (word === 'add' && named === undefined) {
    needAmount(amounts);
    const per = perIn(options);
    return (api) => add(api, { ...amounts, ...per }, options);
  }
  if (word === 'rm' && named !== undefined) return (api) => remove(api, named, options);
  if (word !== 'raise' || named === undefined) return undefined;
  needAmount(amounts);
  return async (api) => say(await api.changeBudget((await pick(api, named)).id, amounts), 'now', options);
}

async function list(api: HubApi, { session, json }: Options): Promise<number> {
  const budgets = await api.budgets(
    session === undefined ? {} : { session: (await pickSession(api, session)).id },
  );
  if (json) process.stdout.write(`${JSON.stringify(budgets, undefined, 2)}\n`);
  else if (budgets.length > 0) process.stdout.write(`${budgetTable(budgets, roomOf(process.stdout))}\n`);
  else
    process.stdout.write(
      `No budgets: agents may spend what they like. ${commandHere('budgets add --usd 5')} limits a day.\n`,
    );
  return 0;
}

async function add(
  api: HubApi,
  amounts: Amounts & { per?: Budget['per'] },
  { session, folder, ...options }: Options,
): Promise<number> {
  const added = await api.addBudget({
    ...amounts,
    ...(session === undefined ? {} : { session: (await pickSession(api, session)).id }),
    ...(folder === undefined ? {} : { folder: resolve(folder) }),
  });
  return say(added, 'added', options);
}

async function remove(api: HubApi, named: string, options: Options): Promise<number> {
  return say(await api.removeBudget((await pick(api, named)).id), 'removed', options);
}

async function allow(api: HubApi, named: string | undefined, { json }: Options): Promise<number> {
  const session = await api.allowTurn((await pickSession(api, named)).id);
  process.stdout.write(
    json
      ? `${JSON.stringify(session, undefined, 2)}\n`
      : `session ${harmless(shortId(session.id))} may have one more turn\n`,
  );
  return 0;
}

async function pick(api: HubApi, start: string): Promise<Budget> {
  return pickById(await api.budgets(), start, 'budget', BudgetUnclearError);
}

interface Amounts {
  usd?: number;
  tokens?: number;
}

function amountsIn(options: Options): Amounts {
  const [usd, tokens] = [amountIn(options.usd, '--usd'), amountIn(options.tokens, '--tokens')];
  return { ...(usd === undefined ? {} : { usd }), ...(tokens === undefined ? {} : { tokens }) };
}

function needAmount({ usd, tokens }: Amounts): void {
  if (usd === undefined && tokens === undefined)
    throw new CommandOptionsError('budgets', 'Say how much: --usd AMOUNT, --tokens AMOUNT or both.');
}

function perIn({ per }: Options): { per?: Budget['per'] } {
  if (per === undefined) return {};
  if (per === 'day' || per === 'total') return { per };
  throw new CommandOptionsError('budgets', '--per is day or total.');
}

function say(budget: Budget, what: string, { json }: Pick<Options, 'json'>): number {
  process.stdout.write(
    json ? `${JSON.stringify(budget, undefined, 2)}\n` : `${what} ${budgetLine(budget)}\n`,
  );
  return 0;
}
