import { resolve } from 'node:path';
import { isPermissionMode, PERMISSION_MODES, SignalboxError } from '@signalbox/protocol';
import { HubApi, type LaunchSpec, type Session } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { addressOf, type FoundHub, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { isScripted } from './hub/is-scripted.ts';
import { openStream } from './hub/open-stream.ts';
import { pickSession, SHORT_ID } from './hub/pick-session.ts';
import { commandHere } from './own-command.ts';
import { askInTerminal } from './run/ask-in-terminal.ts';
import { PersonAsks } from './run/person-asks.ts';
import { PromptRun, RUN_CODE } from './run/prompt-run.ts';
import { pricedAlone } from './run/turn-cost.ts';
import { JsonTurn, PipedTurn, TerminalTurn, type TurnOutput } from './run/turn-output.ts';

const AGENTS = ['claude', 'signalbox-agent', 'scripted'] as const;

const MODES = PERMISSION_MODES.join(', ');

const HELP = `Usage: signalbox run [options] "prompt"

Gives an agent a prompt and shows what it does; the agent runs on the hub, and what it asks is
answered here, in the browser, or wherever else somebody does so first. Ctrl-C stops the turn; a
second one leaves, and the agent goes on.

  --agent NAME       ${AGENTS.join(', ')}; the first one that is there unless given
  --folder PATH      where it works; this folder unless given
  --model NAME       which model it uses
  --mode MODE        its permission mode:
                     ${MODES}
  --title TEXT       what the session is called; its first prompt unless given
  --session ID       go on with this session of the hub, by the start of its id
  --yes              allow all that the agent asks for; questions still wait for an answer
  --json             the agent's messages, one JSON object a line
  --detach           do not wait: say which session it is
${HUB_HELP}
  -h, --help         this text

The exit code is 0 when the turn went well, 1 when it did not, 130 when it was stopped.
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  agent: { type: 'string' },
  folder: { type: 'string' },
  model: { type: 'string' },
  mode: { type: 'string' },
  title: { type: 'string' },
  session: { type: 'string' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  detach: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** A prompt was to go to an agent that has ended. */
export class AgentEndedError extends SignalboxError {
  constructor(session: string) {
    const id = session.slice(0, SHORT_ID);
    super(
      'AGENT_ENDED',
      `The agent of session ${id} has ended. Start it again with ${commandHere(`sessions restart ${id}`)}, then repeat this.`,
    );
  }
}

type Options = ReturnType<typeof readCommand<typeof OPTIONS>>['values'];

/** Run `signalbox run …`. Returns the exit code of the turn. */
export async function runPrompt(argv: readonly string[], endOfWork: () => AbortSignal): Promise<number> {
  const { values: options, positionals } = readCommand('run', argv, OPTIONS);
  if (options.help) {
    process.stdout.write(HELP);
    return RUN_CODE.success;
  }
  const prompt = positionals.join(' ').trim();
  if (prompt === '')
    throw new CommandOptionsError('run', `Say what is to be done: ${commandHere('run "…"')}.`);
  const agent = agentNamed(options.agent);
  checkMode(options.mode);
  const hub = await findHub(options);
  const api = new HubApi(addressOf(hub));
  const session = await sessionFor(api, agent, options);
  if (!options.detach) return follow(hub, session, prompt, options, endOfWork());
  await api.prompt(session.id, { clientId: crypto.randomUUID(), content: prompt });
  process.stdout.write(
    options.json ? `${JSON.stringify({ session: session.id, hub: hub.url })}\n` : `${session.id}\n`,
  );
  return RUN_CODE.success;
}

function agentNamed(name: string | undefined): LaunchSpec['agent'] | undefined {
  const known = AGENTS.find((agent) => agent === name);
  if (name === undefined || known) return known;
  throw new CommandOptionsError('run', `${name} is no agent; these are: ${AGENTS.join(', ')}.`);
}

function checkMode(mode: string | undefined): void {
  if (mode !== undefined && !isPermissionMode(mode))
    throw new CommandOptionsError('run', `${mode} is no mode; these are: ${MODES}.`);
}

async function sessionFor(
  api: HubApi,
  agent: LaunchSpec['agent'] | undefined,
  { session: named, folder = '.', model, mode, title }: Options,
): Promise<Session> {
  if (named !== undefined) return withAgent(await pickSession(api, named));
  const launch: LaunchSpec = {
    agent: agent ?? (await firstAgent(api)),
    folder: resolve(folder),
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
  };
  const { session } = await api.createSession({ launch, ...(title === undefined ? {} : { title }) });
  return session;
}

/** Before anything is admitted: a prompt without an agent would wait for nobody knows what. */
function withAgent(session: Session): Session {
  if (session.state === 'exited') throw new AgentEndedError(session.id);
  return session;
}

async function firstAgent(api: HubApi): Promise<LaunchSpec['agent']> {
  const { items } = await api.agents();
  return items.find(({ isAvailable }) => isAvailable)?.name ?? 'scripted';
}

/** What is drawn on a terminal is loaded for one. */
async function outputFor(session: Session, isJson: boolean): Promise<TurnOutput> {
  const style = { isScripted: isScripted(session) };
  if (isJson) return new JsonTurn(process.stdout, process.stderr);
  if (!process.stdout.isTTY) return new PipedTurn(process.stdout, process.stderr, style);
  const { hasTerminal, TurnView } = await import('@signalbox/chat');
  return hasTerminal(process.stdout)
    ? new TerminalTurn(new TurnView(process.stdout, session.folder ?? process.cwd(), style))
    : new PipedTurn(process.stdout, process.stderr, style);
}

async function follow(
  hub: FoundHub,
  followed: Session,
  prompt: string,
  { yes, json }: Options,
  signal: AbortSignal,
): Promise<number> {
  const session = followed.id;
  const output = await outputFor(followed, json ?? false);
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
    say(`go on with ${commandHere(`attach ${session.slice(0, SHORT_ID)}`)}`);
    return code;
  } finally {
    asks.close();
    output.close();
    stream.close();
  }
}
