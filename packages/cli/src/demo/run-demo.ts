import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScriptedModel } from '@signalbox/model';
import { ControlPeer, encodeHostMessage, parseAgentMessage } from '@signalbox/protocol';
import { type ChildTransport, spawnTransport } from '@signalbox/transport';
import { readCommand } from '../command-options.ts';
import { ownAgent } from '../local-agents.ts';
import { printHelp } from '../print-help.ts';
import { DemoScreen } from './demo-screen.ts';

const PROMPT = 'Build me something small that I can run.';

const HELP = `Usage: signalbox demo [--yes]

Plays a short session: signalbox-agent, driven over its stdio, against the built-in scripted model.
It works in a new temporary folder and needs no key and no network.

  --yes      allow what the agent asks for without asking you
  -h, --help this text
`;

/** Play a session of the real agent on the scripted model in this terminal. */
export async function runDemo(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const { values } = readCommand('demo', argv, {
    yes: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const);
  if (values.help) {
    printHelp(HELP);
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-demo-'));
  const model = await startScriptedModel({ scenario: 'demo' });
  let agent: ChildTransport | undefined;
  try {
    agent = await startAgent(folder, model.url);
    signal.addEventListener('abort', () => void agent?.close(), { once: true });
    const screen = await DemoScreen.open(folder, PROMPT, values.yes === true);
    const endedWell = await follow(agent, screen);
    screen.close(endedWell);
    return endedWell ? 0 : 1;
  } finally {
    await agent?.close();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The agent that stands beside this program, with an environment that knows nothing of the user's own. */
function startAgent(folder: string, modelUrl: string): Promise<ChildTransport> {
  const agent = ownAgent() ?? 'signalbox-agent.js';
  const { PATH } = process.env;
  return spawnTransport({
    command: process.execPath,
    args: [
      agent,
      '-p',
      '--verbose',
      '--input-format=stream-json',
      '--output-format=stream-json',
      '--include-partial-messages',
      '--permission-prompt-tool=stdio',
    ],
    cwd: folder,
    env: { PATH, HOME: folder, ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: 'scripted' },
  });
}

/** Send the prompt, show what comes, pass questions on; says whether the turn ended well. */
async function follow(agent: ChildTransport, screen: DemoScreen): Promise<boolean> {
  let endedWell = false;
  const peer = new ControlPeer(agent, {
    onMessage: async (line) => {
      const message = parseAgentMessage(line.json());
      screen.show(message);
      if (message.type !== 'result') return;
      endedWell = message.subtype === 'success';
      await agent.endInput();
    },
  });
  peer.handle('can_use_tool', async (request, { signal }) =>
    (await screen.mayUse(request, signal))
      ? { behavior: 'allow', updatedInput: request.input }
      : { behavior: 'deny', message: 'The person at the terminal said no.' },
  );
  const reading = peer.run();
  await peer.request({ subtype: 'initialize' }, { timeoutMs: 10_000 });
  await agent.send(
    encodeHostMessage({
      type: 'user',
      message: { role: 'user', content: PROMPT },
      parent_tool_use_id: null,
      session_id: '',
    }),
  );
  await reading;
  if (!endedWell && agent.stderrTail) process.stderr.write(agent.stderrTail);
  return endedWell;
}
