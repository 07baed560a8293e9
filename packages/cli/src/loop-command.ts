import { resolve } from 'node:path';
import { HubApi, type NewLoop } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { followLoop } from './loop/follow-loop.ts';
import { LOOP_CODE } from './loop/loop-code.ts';
import { RULE_OPTIONS, rulesIn } from './loop/rule-options.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { AGENT_NAMES, agentNamed, checkMode, MODE_NAMES } from './run/launch-options.ts';

const HELP = `Usage: signalbox loop [options] "task"
       signalbox loop [options] --prompt-file FILE

Runs an agent again and again on the same task, each time a fresh one in a new session, until a
condition is met. The loop lives in the hub: it goes on when this terminal is closed, and
${commandHere('loops')} lists, shows, pauses, resumes, changes and stops loops.
Ctrl-C stops the turn and then the loop; a second one leaves without waiting for that.

  --max-iterations N   stop after this many iterations (default: 10)
  --until-text TEXT    stop when the agent's last message contains this
  --until-command CMD  stop when this command exits with 0; it runs in the folder after each
                       iteration
  --until-seconds N    how long that command may take (default: 600)
  --budget-usd N       start no more iterations once this much is spent
  --prompt-file FILE   read the task from this file, anew for each iteration
  --keep-session       one agent and one conversation, instead of a fresh one each time
  --pause-on-failure   wait for a person after an iteration that failed
  --agent NAME         ${AGENT_NAMES};
                       default: the first of these that is installed
  --folder PATH        the folder it works in (default: this one)
  --model NAME         the model it uses
  --mode MODE          its permission mode:
                       ${MODE_NAMES}
  --profile NAME       set the variables of this profile (signalbox profiles)
  --title TEXT         the title of its sessions (default: the start of the task)
  --yes                allow every tool call; questions still wait for an answer
  --json               print the agents' messages and summaries, one JSON object per line
  --detach             do not watch: print the loop's id and exit
${HUB_HELP}
  -h, --help           this text

Exit codes: 0 the condition was met, 1 a limit was reached first or it failed, 130 it was stopped.
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  ...RULE_OPTIONS,
  'keep-session': { type: 'boolean' },
  'pause-on-failure': { type: 'boolean' },
  agent: { type: 'string' },
  folder: { type: 'string' },
  model: { type: 'string' },
  mode: { type: 'string' },
  profile: { type: 'string' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  detach: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof readCommand<typeof OPTIONS>>['values'];

/** Run `signalbox loop …`. Returns the exit code of the loop. */
export async function runLoop(argv: readonly string[], endOfWork: () => AbortSignal): Promise<number> {
  const { values: options, positionals } = readCommand('loop', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return LOOP_CODE.done;
  }
  checkMode('loop', options.mode);
  const rules = rulesOf(options, positionals.join(' ').trim());
  const hub = await findHub(options);
  const api = new HubApi(addressOf(hub));
  const { folder = '.', model, mode, profile } = options;
  const loop = await api.createLoop({
    ...rules,
    launch: {
      agent: (await agentNamed('loop', api, options.agent)).name,
      folder: resolve(folder),
      ...(model === undefined ? {} : { model }),
      ...(mode === undefined ? {} : { mode }),
      ...(profile === undefined ? {} : { profile }),
    },
  });
  if (!options.detach) return followLoop(hub, loop, options, endOfWork());
  process.stdout.write(
    options.json ? `${JSON.stringify({ loop: loop.id, hub: hub.url })}\n` : `${loop.id}\n`,
  );
  return LOOP_CODE.done;
}

function rulesOf(options: Options, prompt: string): Omit<NewLoop, 'launch'> {
  if (prompt === '' && options['prompt-file'] === undefined)
    throw new CommandOptionsError('loop', `Say what is to be done: ${commandHere('loop "…"')}.`);
  return {
    ...rulesIn('loop', options, prompt),
    keepSession: options['keep-session'] ?? false,
    pauseOnFailure: options['pause-on-failure'] ?? false,
    allowAll: options.yes ?? false,
  };
}
