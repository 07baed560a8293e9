import { resolve } from 'node:path';
import { HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { leftWords, setupWords, worktreeTable } from './worktrees/worktree-words.ts';
import { roomOf } from './wrap-words.ts';
import { isSomebodyThere, saysYes } from './yes-or-no.ts';

const HELP = `Usage: signalbox worktrees [options]
       signalbox worktrees sweep
       signalbox worktrees rm [--yes] <repository>/<name>
       signalbox worktrees trust [--yes] [folder]

Lists the worktrees made for sessions (signalbox run --worktree), and what keeps each from being
removed. sweep removes those that no session uses, if Signalbox made them and they are clean, and
pushed or merged. rm removes one with the changes in it; a branch with commits of its own stays.
trust shows what a repository's .signalbox/worktree.json runs in new worktrees, and trusts it as it
is now.

  --json             print the result as JSON
  --yes              rm, trust: do not ask first
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof readCommand<typeof OPTIONS>>['values'];

/** Each gives the exit code. */
const ACTIONS: Record<string, (api: HubApi, named: string | undefined, options: Options) => Promise<number>> =
  {
    sweep,
    rm: remove,
    trust,
  };

/** Run `signalbox worktrees …`. */
export async function runWorktrees(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('worktrees', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [word, named, ...rest] = positionals;
  const action = word === undefined ? list : ACTIONS[word];
  if (!action || rest.length > 0 || (word === 'sweep' && named !== undefined))
    throw new CommandOptionsError('worktrees', 'Say sweep, rm <repository>/<name> or trust [folder].');
  return action(new HubApi(addressOf(await findHub(options))), named, options);
}

async function list(api: HubApi, _: string | undefined, { json }: Options): Promise<number> {
  const items = await api.worktrees();
  if (json) return say(items);
  process.stdout.write(
    items.length === 0
      ? `No worktrees. ${commandHere('run --worktree "…"')} makes one.\n`
      : `${worktreeTable(items, Date.now(), roomOf(process.stdout))}\n`,
  );
  return 0;
}

async function sweep(api: HubApi, _: string | undefined, { json }: Options): Promise<number> {
  const items = await api.sweepWorktrees();
  if (json) return say(items);
  process.stdout.write(
    items.length === 0 ? 'Nothing is left over.\n' : `${items.map(leftWords).join('\n')}\n`,
  );
  return 0;
}

async function remove(api: HubApi, named: string | undefined, { json, yes }: Options): Promise<number> {
  const [, repository, slug] = /^([^/]+)\/([^/]+)$/.exec(named ?? '') ?? [];
  if (repository === undefined || slug === undefined)
    throw new CommandOptionsError('worktrees', 'Name it as the list does: <repository>/<name>.');
  const meant = (await api.worktrees()).find((one) => one.repository === repository && one.slug === slug);
  const why = meant?.keeps.length ? ` ${harmless(meant.keeps.join(' '))} What is not committed is lost.` : '';
  if (!(await isMeant(yes, `Remove ${harmless(named ?? '')}?${why}`))) return 1;
  const left = await api.removeWorktree(repository, slug);
  if (json) return say(left);
  process.stdout.write(`${leftWords(left)}\n`);
  return 0;
}

async function trust(api: HubApi, named: string | undefined, { json, yes }: Options): Promise<number> {
  const folder = resolve(named ?? '.');
  const { root, setup } = await api.repository(folder);
  if (!setup || setup.isTrusted) {
    const said = setup ? 'is trusted as it is' : 'has none';
    process.stdout.write(`The set-up of ${harmless(root)} ${said}.\n`);
    return 0;
  }
  if (!json) process.stdout.write(setupWords(setup));
  if (!(await isMeant(yes, `Trust this for ${harmless(root)}, until it changes?`))) return 1;
  const trusted = await api.trustSetup(folder, setup.text);
  if (json) return say(trusted);
  process.stdout.write(`The set-up of ${harmless(root)} is trusted.\n`);
  return 0;
}

/** A script that did not say that it is sure is refused. */
async function isMeant(isSure: boolean | undefined, question: string): Promise<boolean> {
  if (isSure) return true;
  if (!isSomebodyThere()) throw new CommandOptionsError('worktrees', `${question} Say --yes.`);
  return saysYes(question);
}

function say(value: unknown): number {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
  return 0;
}
