import { resolve } from 'node:path';
import { HubApi, HubStream, type LaunchSpec } from 'signalbox/hub';
import { WebSocket } from 'ws';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { type FoundHub, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickSession, SHORT_ID } from './hub/pick-session.ts';
import { askInTerminal } from './run/ask-in-terminal.ts';
import { PersonAsks } from './run/person-asks.ts';
import { PromptRun, RUN_CODE } from './run/prompt-run.ts';
import { TurnScreen } from './run/turn-screen.ts';

const AGENTS = ['claude', 'signalbox-agent', 'scripted'] as const;

const HELP = `Usage: signalbox run [options] "prompt"

Gives an agent a prompt and shows what it does; the agent runs on the hub and is asked about here, in the browser,
or wherever else somebody answers first. Ctrl-C stops the turn; a second one leaves, and the agent goes on.

  --agent NAME       ${AGENTS.join(', ')}; the first one that is there unless given
  --folder PATH      where it works; this folder unless given
  --model NAME       which model it uses
  --mode MODE        its permission mode
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

type Options = ReturnType<typeof readCommand<typeof OPTIONS>>['values'];

/** Run `signalbox run …`. Returns the exit code of the turn. */
export async function runPrompt(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const { values: options, positionals } = readCommand('run', argv, OPTIONS);
  if (options.help) {
    process.stdout.write(HELP);
    return RUN_CODE.success;
  }
  const prompt = positionals.join(' ').trim();
  if (prompt === '') throw new CommandOptionsError('run', 'Say what is to be done: signalbox run "…".');
  const agent = agentNamed(options.agent);
  const hub = await findHub(options);
  const session = await sessionFor(new HubApi(address(hub)), agent, options);
  if (!options.detach) return follow(hub, session, prompt, options, signal);
  await new HubApi(address(hub)).prompt(session, { clientId: crypto.randomUUID(), content: prompt });
  process.stdout.write(options.json ? `${JSON.stringify({ session, hub: hub.url })}\n` : `${session}\n`);
  return RUN_CODE.success;
}

function address({ url, token }: FoundHub): { url: string; token?: string } {
  return { url, ...(token === undefined ? {} : { token }) };
}

function agentNamed(name: string | undefined): LaunchSpec['agent'] | undefined {
  const known = AGENTS.find((agent) => agent === name);
  if (name === undefined || known) return known;
  throw new CommandOptionsError('run', `${name} is no agent; these are: ${AGENTS.join(', ')}.`);
}

async function sessionFor(
  api: HubApi,
  agent: LaunchSpec['agent'] | undefined,
  { session: named, folder = '.', model, mode, title }: Options,
): Promise<string> {
  if (named !== undefined) return (await pickSession(api, named)).id;
  const launch: LaunchSpec = {
    agent: agent ?? (await firstAgent(api)),
    folder: resolve(folder),
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
  };
  const { session } = await api.createSession({ launch, ...(title === undefined ? {} : { title }) });
  return session.id;
}

async function firstAgent(api: HubApi): Promise<LaunchSpec['agent']> {
  const { items } = await api.agents();
  return items.find(({ isAvailable }) => isAvailable)?.name ?? 'scripted';
}

async function follow(
  hub: FoundHub,
  session: string,
  prompt: string,
  { yes, json }: Options,
  signal: AbortSignal,
): Promise<number> {
  const screen = new TurnScreen(process.stdout);
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && !json;
  const say = (text: string): void => {
    if (isTerminal) screen.note(text);
    else process.stderr.write(`signalbox run: ${text}\n`);
  };
  const api = new HubApi(address(hub));
  const stream = new HubStream({
    ...address(hub),
    WebSocket,
    onState: (state) => {
      if (state === 'waiting') say('the connection to the hub is lost; trying again');
    },
  });
  const asks = new PersonAsks({
    me: await api.me(),
    style: yes ? 'allow' : isTerminal ? 'ask' : 'wait',
    ask: (permission, called) => askInTerminal(permission, called, () => run.interrupt()),
    answer: ({ requestId }, answer) => stream.answer(session, requestId, answer),
    say,
  });
  const run = new PromptRun(api, stream, session, {
    onMessage: (message) => {
      if (json) process.stdout.write(`${JSON.stringify(message)}\n`);
      else screen.show(message);
    },
    onPreview: (message) => json || screen.preview(message),
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
    say(`go on with signalbox attach ${session.slice(0, SHORT_ID)}`);
    return code;
  } finally {
    asks.close();
    stream.close();
  }
}
