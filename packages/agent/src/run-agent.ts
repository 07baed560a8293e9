import { messageOf, SignalboxError } from '@signalbox/protocol';
import { HostLostError, UsageError } from './base/agent-errors.ts';
import { startDebugLog } from './base/debug-log.ts';
import type { Output } from './base/host.ts';
import { AGENT_VERSION, PROTOCOL_VERSION } from './base/version.ts';
import { type AgentOptions, readCommandLine } from './command-line/agent-options.ts';
import { idleExitMs } from './command-line/entry-point.ts';
import { helpText } from './command-line/help.ts';
import { subcommandIn } from './command-line/subcommands.ts';
import { answerClaim } from './control/answer-claim.ts';
import { answerControl } from './control/answer-control.ts';
import type { AgentSession } from './conversation/agent-session.ts';
import { PromptLifecycle } from './conversation/prompt-lifecycle.ts';
import { type Chat, chatAgent, type Person } from './io/chat-agent.ts';
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
import { mirrorTo } from './io/transcript-mirror.ts';
import { type SessionState, stamp } from './loop/session-core.ts';
import { noCount, resultMessage } from './loop/turn-result.ts';
import { readPriceList } from './model/price-list.ts';
import { knowBetter } from './model/prices.ts';
import { findSession, type OpenSession, openSession, type SessionStart } from './session/open-session.ts';
import { recordedPrompts } from './session/recorded-prompts.ts';
import { ResumeDropsMoreError } from './session/session-errors.ts';
import type { ClaimedStart } from './spare/spare-agent.ts';
import { liveSettings } from './start/live-settings.ts';
import { sessionStart } from './start/session-start.ts';
import { type StartContext, startContext } from './start/start-context.ts';
import { startSession } from './start/start-session.ts';

/** What the result of a turn says that no person has asked for. */
const TASK_NEWS = { kind: 'task-notification' };

/** Run the agent as a command. Returns its exit code; errors end up as one line on stderr. */
export async function runAgent(argv: readonly string[], chat?: Chat): Promise<number> {
  try {
    const subcommand = subcommandIn(argv);
    if (subcommand) {
      const { runSubcommand } = await import('./subcommands/run-subcommand.ts');
      const { text, code } = await runSubcommand(subcommand);
      await print(text);
      return code;
    }
    const options = readCommandLine(argv, process.stdin.isTTY && process.stdout.isTTY);
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
        return await chat(chatAgent(options, runSession));
    }
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    if (!(error instanceof SignalboxError) && process.env.SIGNALBOX_DEBUG)
      process.stderr.write(`${String(error)}\n`);
    return 1;
  }
}

async function runSession(options: AgentOptions, person?: Person): Promise<number> {
  // stderr is the screen that a person looks at: problems reach it as messages.
  const reports = person && new ProblemReports();
  const context = startContext(person ? 'cli' : 'sdk-cli', reports?.add);
  const { env, onProblem } = context;
  for (const name of options.withoutEffect) onProblem(`signalbox-agent: --${name} has no effect.`);
  if (options.debug !== undefined || options.debugFile !== undefined)
    startDebugLog({ filter: options.debug, file: options.debugFile, env });
  const transport = options.awaitsClaim ? await openTransport(options, context) : undefined;
  if (!transport) return converse({ options, context, reports, person });
  const { runSpare } = await import('./run-spare.ts');
  return runSpare(options, context, transport, converse);
}

/** What a conversation begins with. */
interface Beginning {
  readonly options: AgentOptions;
  readonly context: StartContext;
  readonly reports?: ProblemReports | undefined;
  readonly person?: Person | undefined;
  /** The host that claimed it, if one did, and with what. */
  readonly transport?: ClaimedStart['transport'];
  readonly claim?: ClaimedStart['claim'];
}

async function converse({ options, context, reports, person, claim, ...begun }: Beginning): Promise<number> {
  const { env } = context;
  const settings = liveSettings(options, context, person !== undefined);
  Object.assign(env, settings.current.env);
  knowBetter(readPriceList(env));
  const start = await sessionStart(options, context);
  // Before a host is called: one that cannot be found is a word on stderr, and no connection that ends at once.
  const found = await findSession(start).catch(async (error: unknown) => {
    if (!person && error instanceof ResumeDropsMoreError)
      await tellRefusal(error, start.sessionId, options, context);
    throw error;
  });
  if (options.rewindTo !== undefined) return rewind(await openSession(found), options.rewindTo);
  const transport = begun.transport ?? person?.transport ?? (await openTransport(options, context));
  const output = transport ? streamOutput(transport) : printedOutput(options, print);
  const onWritten = options.mirrorsTranscript ? mirrorTo(output) : undefined;
  const opened = await openSession(found, onWritten);
  const state: SessionState = { id: opened.sessionId, log: opened.log, cwd: context.cwd };
  const lifecycle = new PromptLifecycle(output, state);
  const prompts = new PromptQueue(
    recordedPrompts(opened.loaded).answered,
    (uuid) => void lifecycle.ended(lifecycle.nameOf({ uuid }), 'cancelled'),
  );
  const link =
    transport && options.inputFormat === 'stream-json'
      ? connectHost(transport, { output, prompts, lifecycle, state, env })
      : undefined;
  const session = await startSession({
    options,
    context,
    settings: settings.current,
    opened,
    openAnew: async () => openSession(await findSession(newSession(options, context)), onWritten),
    state,
    host: link ?? listeningHost(output),
    lifecycle,
    queuedPrompts: () => prompts.size,
    onNews: (news) => link && prompts.add({ ...promptOf(news), origin: TASK_NEWS }),
  });
  session.waitFor(session.extensions.mcp.connect());
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
    // Whoever reads a pipe may have seen enough: what was asked for is done all the same.
    const kept = { ...output, lost: new AbortController().signal };
    return answerAll(prompts, session, kept, Promise.resolve());
  }
  answerControl(link.peer, session, prompts, settings);
  answerClaim(link.peer, session, settings.current, claim);
  if (person) session.attend();
  person?.leaves.addEventListener('abort', () => {
    prompts.cancelAll();
    session.interrupt();
  });
  return answerAll(
    prompts,
    session,
    output,
    link.peer.run().then(() => prompts.end()),
    person && 'prompt_input_exit',
  );
}

/** Hosts that take back a turn hear from a result that they may not. */
async function tellRefusal(
  error: Error,
  sessionId: string,
  options: AgentOptions,
  context: StartContext,
): Promise<void> {
  const transport = await openTransport(options, context);
  const output = transport ? streamOutput(transport) : printedOutput(options, print);
  await output.write(resultMessage({ how: 'failed', error }, noCount(), sessionId));
  await output.finish();
}

function newSession(
  { keepsTranscript }: AgentOptions,
  { sessionPaths, onProblem }: StartContext,
): SessionStart {
  return {
    sessionPaths,
    sessionId: crypto.randomUUID(),
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
  endReason?: string,
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
    await session.close(endReason);
  }
  await output.finish();
  return endedWell ? 0 : 1;
}
