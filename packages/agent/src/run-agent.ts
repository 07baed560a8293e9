import { messageOf, SignalboxError } from '@signalbox/protocol';
import { HostLostError, UsageError } from './base/agent-errors.ts';
import { startDebugLog } from './base/debug-log.ts';
import type { Output } from './base/host.ts';
import { AGENT_VERSION, PROTOCOL_VERSION } from './base/version.ts';
import { type AgentOptions, readCommandLine } from './command-line/agent-options.ts';
import { idleExitMs } from './command-line/entry-point.ts';
import { helpText } from './command-line/help.ts';
import { answerControl } from './control/answer-control.ts';
import type { AgentSession } from './conversation/agent-session.ts';
import { type Chat, chatSeat, type Person } from './io/chat-seat.ts';
import { connectHost } from './io/connect-host.ts';
import { listeningHost } from './io/listening-host.ts';
import { openTransport } from './io/open-transport.ts';
import { printedOutput, streamOutput } from './io/output.ts';
import { print } from './io/print.ts';
import { ProblemReports } from './io/problem-reports.ts';
import { PromptQueue } from './io/prompt-queue.ts';
import { promptOf, readPrompt } from './io/read-prompt.ts';
import { earlierWords } from './io/replay-earlier.ts';
import { stopOnSignal } from './io/stop-on-signal.ts';
import { TranscriptMirror } from './io/transcript-mirror.ts';
import { type SessionState, stamp } from './loop/session-core.ts';
import { readPriceList } from './model/price-list.ts';
import { knowBetter } from './model/prices.ts';
import { type OpenSession, openSession } from './session/open-session.ts';
import { recordedPrompts } from './session/recorded-prompts.ts';
import { loadSettings } from './settings/load-settings.ts';
import { sessionStart } from './start/session-start.ts';
import { type StartPlace, startPlace } from './start/start-place.ts';
import { startSession } from './start/start-session.ts';

/** Run the agent as a command. Returns its exit code; errors end up as one line on stderr. */
export async function runAgent(argv: readonly string[], chat?: Chat): Promise<number> {
  try {
    const options = readCommandLine(argv);
    switch (options.wants) {
      case 'help':
        await print(helpText());
        return 0;
      case 'version':
        await print(`${PROTOCOL_VERSION} (signalbox-agent ${AGENT_VERSION})\n`);
        return 0;
      case 'mcp-server': {
        const { runMcpServer } = await import('./run-mcp-server.ts');
        return await runMcpServer(options);
      }
      case 'session':
        if (!options.isChat) return await runSession(options);
        if (!chat) throw new UsageError('There is no terminal chat here. Use -p "prompt".');
        return await chat(chatSeat(options, runSession));
    }
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    if (!(error instanceof SignalboxError) && process.env.SIGNALBOX_DEBUG)
      process.stderr.write(`${String(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function runSession(options: AgentOptions, person?: Person): Promise<number> {
  // stderr is the screen that a person looks at: problems reach it as messages.
  const reports = person && new ProblemReports();
  const place = startPlace(person ? 'cli' : 'sdk-cli', reports?.add);
  const { env, onProblem } = place;
  for (const name of options.withoutEffect) onProblem(`signalbox-agent: --${name} has no effect.`);
  if (options.debug !== undefined || options.debugFile !== undefined)
    startDebugLog({ filter: options.debug, file: options.debugFile, env });
  const settings = loadSettings({ ...place, options, onProblem, isTrustAsked: person !== undefined });
  Object.assign(env, settings.env);
  knowBetter(readPriceList(env));
  const mirror = options.mirrorsTranscript ? new TranscriptMirror() : undefined;
  const onWritten = mirror?.written;
  const opened = await openSession({ ...(await sessionStart(options, place)), onWritten });
  if (options.rewindTo !== undefined) return rewind(opened, options.rewindTo);
  const transport = person?.transport ?? (await openTransport(options, place));
  const output = transport ? streamOutput(transport) : printedOutput(options, print);
  mirror?.connect(output);
  const state: SessionState = { id: opened.sessionId, log: opened.log, cwd: place.cwd };
  const prompts = new PromptQueue(recordedPrompts(opened.loaded).answered);
  const replaysPrompts = options.replayUserMessages;
  const link =
    transport && options.inputFormat === 'stream-json'
      ? connectHost(transport, { output, prompts, state, env, replaysPrompts })
      : undefined;
  const session = await startSession({
    options,
    place,
    settings,
    opened,
    openAnew: () => openSession({ ...newSession(options, place), sessionId: crypto.randomUUID(), onWritten }),
    state,
    host: link ?? listeningHost(output),
    onNews: (news) => link && prompts.add(promptOf(news)),
  });
  stopOnSignal(session);
  reports?.tellTo((content) => {
    const notice = { type: 'system', subtype: 'informational', content, level: 'warning' } as const;
    void output.write({ ...notice, ...stamp(state) });
  });
  if (person && opened.loaded)
    for (const said of earlierWords(opened.loaded, state.id)) await output.write(said);
  if (!link) {
    prompts.add(promptOf(await readPrompt(options.prompt)));
    prompts.end();
    return answerAll(prompts, session, output, Promise.resolve());
  }
  answerControl(link.peer, session, prompts, settings);
  person?.leaves.addEventListener('abort', () => {
    prompts.cancelAll();
    session.interrupt();
  });
  return answerAll(
    prompts,
    session,
    output,
    link.peer.run().then(() => prompts.end()),
  );
}

function newSession({ keepsTranscript }: AgentOptions, { places, onProblem }: StartPlace) {
  return {
    places,
    isPersistent: keepsTranscript,
    onProblem: ({ message }: { message: string }) => onProblem(message),
  };
}

async function rewind({ checkpoints }: OpenSession, messageId: string): Promise<number> {
  if (!checkpoints) throw new UsageError('--rewind-files needs a session that is kept on disk.');
  await checkpoints.rewind(messageId);
  await print('Files were put back.\n');
  return 0;
}

async function answerAll(
  prompts: PromptQueue,
  session: AgentSession,
  output: Output,
  hostLine: Promise<void>,
): Promise<number> {
  let endedWell = true;
  const work = (async () => {
    for (let prompt = await prompts.next(); prompt; prompt = await prompts.next(idleExitMs(process.env))) {
      endedWell = await session.answer(prompt);
    }
  })();
  const lost = new Promise<never>((_, reject) => {
    output.lost.addEventListener('abort', () => reject(new HostLostError(output.lost.reason)));
  });
  // A host that breaks the protocol ends the work at once, as does one that reads no more; one that leaves lets it finish.
  try {
    await Promise.race([work, hostLine.then(() => work), lost]);
  } finally {
    // What is left of the work has nobody to tell.
    work.catch(() => {});
    session.interrupt();
    await session.close();
  }
  await output.finish();
  return endedWell ? 0 : 1;
}
