import { join } from 'node:path';
import { signalboxHome } from '@signalbox/hub/bridge';
import { createMemoryPair } from '@signalbox/transport';
import { HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { isScripted } from './hub/is-scripted.ts';
import { openStream } from './hub/open-stream.ts';
import { pickSession, SHORT_ID } from './hub/pick-session.ts';
import { HubSeat } from './hub-seat/hub-seat.ts';
import { commandHere } from './own-command.ts';
import { fitted } from './wrap-words.ts';

const HELP = `Usage: signalbox attach [options] [id]

A seat in a session of the hub: what was said last, what is being said, a line to prompt with, and
the agent's questions. Leaving ends nothing. The start of an id is enough; without one it is a
session that asks, or the one that changed last of those whose agent is there.

${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = { ...HUB_OPTIONS, help: { type: 'boolean', short: 'h' } } as const;

/** Run `signalbox attach …` until the person leaves. */
export async function runAttach(argv: readonly string[], endOfWork: () => AbortSignal): Promise<number> {
  const { values: options, positionals } = readCommand('attach', argv, OPTIONS);
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length > 1) throw new CommandOptionsError('attach', 'One session at a time.');
  const hub = await findHub(options);
  const session = await pickSession(new HubApi(addressOf(hub)), positionals[0]);
  const { id, title, folder } = session;
  const { createFileHistory, requireTerminal, runChat } = await import('@signalbox/chat');
  const instead = `without one, use ${commandHere(`run --session ${id.slice(0, SHORT_ID)} "…"`)}`;
  requireTerminal(process.stdin, process.stdout, instead);
  const { left, right } = createMemoryPair();
  const stream = openStream(hub, (state) => seat.connectionIs(state));
  const seat = new HubSeat({ stream, session: id, transport: right });
  endOfWork().addEventListener('abort', () => void right.close(), { once: true });
  void seat.run();
  try {
    return await runChat({
      transport: left,
      cwd: folder ?? process.cwd(),
      title: title ?? `session ${id.slice(0, SHORT_ID)}`,
      isScripted: isScripted(session),
      absence: () => seat.absence(),
      history: createFileHistory(join(signalboxHome(), 'history.jsonl')),
    });
  } finally {
    stream.close();
    process.stdout.write(
      fitted(
        `The session goes on. Come back with\n${commandHere(`attach ${id.slice(0, SHORT_ID)}`)}\n`,
        process.stdout,
      ),
    );
  }
}
