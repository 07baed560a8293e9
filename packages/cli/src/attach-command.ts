import { join } from 'node:path';
import { signalboxHome } from '@signalbox/hub/bridge';
import { createMemoryPair } from '@signalbox/transport';
import { HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { isScripted } from './hub/is-scripted.ts';
import { openStream } from './hub/open-stream.ts';
import { pickSession, shortId } from './hub/pick-session.ts';
import { HubAgent } from './hub-agent/hub-agent.ts';
import { RelayAgent } from './nearby/relay-agent.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { fitted } from './wrap-words.ts';

const HELP = `Usage: signalbox attach [options] [id]
       signalbox attach ws://127.0.0.1:PORT [session_id]

Joins a session of the hub: shows the last messages and what is being said, takes prompts, and asks
you what the agent asks. Leaving stops nothing. The start of an id is enough; without an id it picks
a session that is waiting for an answer, or else the one with a connected agent that changed last.
The second form joins another program's relay (signalbox sessions --nearby) as a frontend, without
a token.

${HUB_HELP}
  -h, --help         this text
`;

/** How often in a row a relay that is lost is dialled. */
const RELAY_ATTEMPTS = 10;

const OPTIONS = {
  ...HUB_OPTIONS,
  // How a hub takes part in a relay: what a person would see is an agent's lines on stdio.
  stdio: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Run `signalbox attach …` until the person leaves. */
export async function runAttach(argv: readonly string[], endOfWork: () => AbortSignal): Promise<number> {
  const { values: options, positionals } = readCommand('attach', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [address = '', named] = positionals;
  if (/^wss?:\/\//.test(address) && positionals.length <= 2)
    return options.stdio
      ? relayOnStdio(address, named, endOfWork())
      : attachToRelay(address, named, endOfWork());
  if (options.stdio) throw new CommandOptionsError('attach', '--stdio takes the address of a relay.');
  if (positionals.length > 1) throw new CommandOptionsError('attach', 'One session at a time.');
  const hub = await findHub(options);
  const session = await pickSession(new HubApi(addressOf(hub)), positionals[0]);
  const { id, title, folder } = session;
  const { createFileHistory, requireTerminal, runChat } = await import('@signalbox/chat');
  const instead = `without one, use ${commandHere(`run --session ${shortId(id)} "…"`)}`;
  requireTerminal(process.stdin, process.stdout, instead);
  const { left, right } = createMemoryPair();
  const stream = openStream(hub, (state) => agent.connectionIs(state));
  const agent = new HubAgent({ stream, session: id, transport: right });
  endOfWork().addEventListener('abort', () => void right.close(), { once: true });
  void agent.run();
  try {
    return await runChat({
      transport: left,
      cwd: folder ?? process.cwd(),
      title: title ?? `session ${shortId(id)}`,
      isScripted: isScripted(session),
      absence: () => agent.absence(),
      history: createFileHistory(join(signalboxHome(), 'history.jsonl')),
    });
  } finally {
    stream.close();
    process.stdout.write(
      fitted(
        `The session goes on. Come back with\n${commandHere(`attach ${shortId(id)}`)}\n`,
        process.stdout,
      ),
    );
  }
}

/** Be a frontend of a relay. It gets no token: nobody knows whose it is. */
async function attachToRelay(
  address: string,
  session: string | undefined,
  end: AbortSignal,
): Promise<number> {
  const { createFileHistory, requireTerminal, runChat } = await import('@signalbox/chat');
  requireTerminal(process.stdin, process.stdout);
  const { relay, url } = await dialRelay(address);
  const { left, right } = createMemoryPair();
  const agent = new RelayAgent(relay, right, session);
  end.addEventListener('abort', () => void right.close(), { once: true });
  const running = agent.run();
  const code = await runChat({
    transport: left,
    cwd: process.cwd(),
    title: `relay at ${url.host}`,
    absence: () => agent.absence(),
    history: createFileHistory(join(signalboxHome(), 'history.jsonl')),
  });
  await running;
  return code;
}

/** The agent behind a relay, as one that talks on its stdio. */
async function relayOnStdio(address: string, session: string | undefined, end: AbortSignal): Promise<number> {
  const { createStdioTransport } = await import('@signalbox/transport/stdio');
  const { relay } = await dialRelay(address);
  const stdio = createStdioTransport();
  end.addEventListener('abort', () => void stdio.close(), { once: true });
  await new RelayAgent(relay, stdio, session).run();
  return 0;
}

async function dialRelay(address: string) {
  const { createTransport } = await import('@signalbox/transport/create-transport');
  const url = new URL('/ws', address);
  const relay = createTransport(url, { env: {}, reconnect: { attempts: RELAY_ATTEMPTS } });
  await relay.connect();
  return { relay, url };
}
