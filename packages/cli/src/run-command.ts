import { resolve } from 'node:path';
import { SignalboxError } from '@signalbox/protocol';
import { HubApi, type LaunchSpec, type NewWorktree, type Session } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { addressOf, type FoundHub, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { openStream } from './hub/open-stream.ts';
import { pickConversation } from './hub/pick-conversation.ts';
import { pickSession, shortId } from './hub/pick-session.ts';
import { commandHere } from './own-command.ts';
import { pipedText } from './piped-text.ts';
import { printHelp } from './print-help.ts';
import { askInTerminal } from './run/ask-in-terminal.ts';
import { AGENT_NAMES, agentNamed, checkMode, MODE_NAMES } from './run/launch-options.ts';
import { outputFor } from './run/output-for.ts';
import { isSetupTrustedNow, worktreeOf } from './run/own-worktree.ts';
import { PersonAsks } from './run/person-asks.ts';
import { PromptRun, RUN_CODE } from './run/prompt-run.ts';
import { restartIn } from './run/restart-options.ts';
import { pricedAlone } from './run/turn-cost.ts';
import { TerminalTurn } from './run/turn-output.ts';
import { sitThrough } from './terminal-command.ts';

/** What is piped in belongs to the prompt. */
const STDIN = '-';

const HELP = `Usage: signalbox run [options] "prompt"
       … | signalbox run [options] ["prompt"] -
       signalbox run --agent NAME

Gives an agent a prompt and shows what it does. The agent runs on the hub; its questions can be
answered here, in the browser or on a phone, and the first answer counts. Ctrl-C stops the turn; a
second one leaves, and the agent goes on. An agent that has only its own screen takes no prompt: its
screen is shown.

  --agent NAME       ${AGENT_NAMES};
                     default: the first of these that is installed
  --folder PATH      the folder it works in (default: this one)
  --model NAME       the model it uses
  --mode MODE        its permission mode:
                     ${MODE_NAMES}
  --profile NAME     set the variables of this profile (signalbox profiles)
  --restart WHEN     restart the agent when it exits: never, on-failure or always (default: never)
  --restarts N       how many times in a row (default: 5)
  --title TEXT       the title of the session (default: its first prompt)
  --session ID       continue this session of the hub; the start of its id is enough
  --resume ID        continue a conversation on the hub's machine (signalbox conversations), in its
                     own folder unless --folder is given; the start of its id is enough
  --fork             with --resume: continue a copy and leave the original as it is
  --worktree         work in a new git worktree on a new branch
  --base REF         with --worktree: the commit to start from (default: the one checked out)
  --no-setup         with --worktree: do not run the repository's set-up there
  --yes              allow every tool call; questions still wait for an answer
  --json             print the agent's messages, one JSON object per line
  --detach           do not wait: print the session's id and exit
${HUB_HELP}
  -h, --help         this text

Exit codes: 0 the turn succeeded, 1 it failed, 130 it was stopped.
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  agent: { type: 'string' },
  folder: { type: 'string' },
  model: { type: 'string' },
  mode: { type: 'string' },
  profile: { type: 'string' },
  restart: { type: 'string' },
  restarts: { type: 'string' },
  title: { type: 'string' },
  session: { type: 'string' },
  resume: { type: 'string' },
  fork: { type: 'boolean' },
  worktree: { type: 'boolean' },
  base: { type: 'string' },
  'no-setup': { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  detach: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** A prompt was to go to an agent that has ended, and that the hub cannot start again. */
export class AgentEndedError extends SignalboxError {
  constructor(session: string) {
    const id = shortId(session);
    super(
      'AGENT_ENDED',
      `The agent of session ${id} has ended, and this hub did not start it. Let it dial in again, as ${commandHere('bridge --help')} says, then repeat this.`,
    );
  }
}

type Options = ReturnType<typeof readCommand<typeof OPTIONS>>['values'];

/** Run `signalbox run …`. Returns the exit code of the turn. */
export async function runPrompt(argv: readonly string[], endOfWork: () => AbortSignal): Promise<number> {
  const { values: options, positionals } = readCommand('run', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return RUN_CODE.success;
  }
  checkMode('run', options.mode);
  checkResume(options);
  restartIn(options);
  const words = positionals.filter((word) => word !== STDIN).join(' ');
  const piped = positionals.includes(STDIN) ? await pipedText() : '';
  const prompt = [words, piped]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n');
  if (prompt === '' && options.agent === undefined) throw nothingToDo();
  const hub = await findHub(options);
  const api = new HubApi(addressOf(hub));
  const isNew = options.session === undefined;
  const agent = isNew ? await agentNamed('run', api, options.agent) : undefined;
  const isOnScreen = agent?.view === 'terminal';
  if (prompt === '' && !isOnScreen) throw nothingToDo();
  const worktree = worktreeOf(options, options.title ?? prompt);
  const session = await sessionFor(api, agent?.name, worktree, options, isOnScreen ? prompt : '');
  if (isOnScreen) return showScreen(hub, session, options);
  if (!options.detach) return follow(hub, session, prompt, options, endOfWork());
  await api.prompt(session.id, { clientId: crypto.randomUUID(), content: prompt });
  process.stdout.write(
    options.json ? `${JSON.stringify({ session: session.id, hub: hub.url })}\n` : `${harmless(session.id)}\n`,
  );
  return RUN_CODE.success;
}

function nothingToDo(): CommandOptionsError {
  return new CommandOptionsError('run', `Say what is to be done: ${commandHere('run "…"')}.`);
}

function checkResume({ resume, fork, session, worktree, profile }: Options): void {
  if (profile !== undefined && session !== undefined)
    throw new CommandOptionsError('run', '--profile is for a new session: leave out --session.');
  if (fork && resume === undefined)
    throw new CommandOptionsError('run', 'Only what is resumed can be forked: --resume ID names it.');
  if (resume !== undefined && session !== undefined)
    throw new CommandOptionsError(
      'run',
      '--session goes on with a session, --resume makes one: say one of them.',
    );
  if (worktree && session !== undefined)
    throw new CommandOptionsError('run', '--worktree is for a new session: leave out --session.');
}

async function sessionFor(
  api: HubApi,
  agent: string | undefined,
  worktree: NewWorktree | undefined,
  options: Options,
  prompt: string,
): Promise<Session> {
  const { session: named, folder, model, mode, title, resume, fork, profile } = options;
  if (named !== undefined || agent === undefined) return withAgent(await pickSession(api, named));
  const conversation = resume === undefined ? undefined : await pickConversation(api, resume);
  const launch: LaunchSpec = {
    agent,
    folder: folder === undefined && conversation?.folder ? conversation.folder : resolve(folder ?? '.'),
    ...(conversation === undefined ? {} : { resume: conversation.id }),
    ...(fork ? { fork } : {}),
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(profile === undefined ? {} : { profile }),
    ...restartIn(options),
    ...(worktree === undefined ? {} : { worktree }),
    // The hub says what such an agent does not take.
    ...(prompt === '' ? {} : { prompt }),
  };
  const create = () => api.createSession({ launch, ...(title === undefined ? {} : { title }) });
  const { session } = await create().catch(async (error: unknown) => {
    if (await isSetupTrustedNow(api, launch.folder, error)) return create();
    throw error;
  });
  return session;
}

/** Before anything is admitted: a prompt without an agent, and nobody to start one, would wait for nobody knows what. */
function withAgent(session: Session): Session {
  if (session.state === 'exited' && !session.isLaunched) throw new AgentEndedError(session.id);
  return session;
}

/** An agent that has nothing but its own screen is shown here, where there is a terminal for it. */
async function showScreen(hub: FoundHub, session: Session, { detach, json }: Options): Promise<number> {
  const { stdin, stdout } = process;
  const terminals = await new HubApi(addressOf(hub)).terminals(session.id);
  const own = terminals.findLast(({ isAgent }) => isAgent);
  if (own && !detach && !json && stdin.isTTY && stdout.isTTY) return sitThrough(hub, session, own.number);
  const told = { session: session.id, hub: hub.url, terminal: own?.number ?? null };
  stdout.write(json ? `${JSON.stringify(told)}\n` : `${harmless(session.id)}\n`);
  return RUN_CODE.success;
}

async function follow(
  hub: FoundHub,
  followed: Session,
  prompt: string,
  { yes, json }: Options,
  signal: AbortSignal,
): Promise<number> {
  const session = followed.id;
  const output = await outputFor(followed, { isJson: json ?? false });
  const say = (text: string): void => output.note(text);
  const isAsked = process.stdin.isTTY && output instanceof TerminalTurn;
  const stream = openStream(hub, (state) => {
    if (state === 'waiting') say('the connection to the hub is lost; trying again');
  });
  const asks = new PersonAsks({
    style: yes ? 'allow' : isAsked ? 'ask' : 'wait',
    ask: (permission, called) =>
      output.asking(permission, () => askInTerminal(permission, called, () => run.interrupt())),
    answer: ({ requestId }, answer) => stream.answer(session, requestId, answer),
    say,
  });
  const run = new PromptRun(new HubApi(addressOf(hub)), stream, session, {
    onMessage: (message, costBefore) => output.show(json ? message : pricedAlone(message, costBefore)),
    onPreview: (message) => output.preview(message),
    onPermission: (permission) => asks.take(permission),
    onNote: say,
  });
  const stop = (): void => {
    process.on('SIGINT', () => run.interrupt());
    run.interrupt();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    const code = await Promise.race([run.ended, run.start(prompt).then(() => run.ended)]);
    say(`go on with ${commandHere(`attach ${shortId(session)}`)}`);
    return code;
  } finally {
    asks.close();
    output.close();
    stream.close();
  }
}
