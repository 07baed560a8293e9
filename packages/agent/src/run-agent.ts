import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type PromptMessage, SignalboxError } from '@signalbox/protocol';
import { createStdioTransport, createTransport, type Transport } from '@signalbox/transport';
import { UsageError } from './agent-errors.ts';
import { type AgentOptions, readCommandLine, type SessionChoice } from './command-line/agent-options.ts';
import { entryPoint, idleExitMs } from './command-line/entry-point.ts';
import { helpText } from './command-line/help.ts';
import { answerControl } from './control/answer-control.ts';
import { HostLink } from './io/host-link.ts';
import { type Output, printedOutput, streamOutput } from './io/output.ts';
import { PromptQueue } from './io/prompt-queue.ts';
import { AgentSession } from './loop/agent-session.ts';
import { ModelClient } from './model/model-client.ts';
import { configDir, loadPermissions } from './permission/load-permissions.ts';
import { type OpenSession, openSession, type SessionStart } from './session/open-session.ts';
import { parseResumeTarget } from './session/resume-target.ts';
import { sessionPlaces } from './session/session-places.ts';
import { AGENT_VERSION, PROTOCOL_VERSION } from './version.ts';

/** How long a host that is to be dialled may take to be there. */
const FIRST_CONNECTION_MS = 15_000;

/** How long a prompt on the command line waits for more on stdin. */
const STDIN_PATIENCE_MS = 3000;

/** Run the agent as a command. Returns its exit code; errors end up as one line on stderr. */
export async function runAgent(argv: readonly string[]): Promise<number> {
  try {
    const options = readCommandLine(argv);
    switch (options.wants) {
      case 'help':
        await print(helpText());
        return 0;
      case 'version':
        await print(`${PROTOCOL_VERSION} (signalbox-agent ${AGENT_VERSION})\n`);
        return 0;
      case 'session':
        return await runSession(options);
    }
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    if (!(error instanceof SignalboxError) && process.env.SIGNALBOX_DEBUG)
      process.stderr.write(`${String(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function runSession(options: AgentOptions): Promise<number> {
  for (const name of options.withoutEffect) {
    process.stderr.write(`signalbox-agent: --${name} is not supported so far and has no effect.\n`);
  }
  const cwd = workingDirectory();
  const home = homedir();
  const env = { ...process.env, CLAUDE_CODE_ENTRYPOINT: entryPoint(process.env) };
  const permissions = loadPermissions(options, { cwd, configDir: configDir(env, home) });
  const opened = await openSession({
    ...startOf(options.session),
    places: sessionPlaces(cwd, env, home),
    isPersistent: options.keepsTranscript,
    onProblem: (problem) => process.stderr.write(`${problem.message}\n`),
  });
  if (options.rewindTo !== undefined) return rewind(opened, options.rewindTo);
  const prompts = new PromptQueue();
  const isDriven = options.inputFormat === 'stream-json';
  const transport = await openTransport(options);
  const output: Output = transport ? streamOutput(transport) : printedOutput(options, print);
  const session = new AgentSession({
    opened: { ...opened, checkpoints: keepsFiles(env) ? opened.checkpoints : undefined },
    options,
    env,
    cwd,
    home,
    output,
    model: new ModelClient(env),
    permissions,
  });
  let hostLine: Promise<void> = Promise.resolve();
  if (transport && isDriven) {
    const host = new HostLink(transport, {
      onPrompt: (prompt) => {
        const isNew = prompts.add(prompt);
        if (options.replayUserMessages || !isNew) void replay(prompt, session.id, output);
      },
      onEnvironment: (variables) => void Object.assign(env, variables),
    });
    answerControl(host.peer, session, prompts, options.mayBypass);
    if (options.asksHost) session.host = host;
    hostLine = host.peer.run().then(() => prompts.end());
  } else {
    prompts.add(promptOf(await promptText(options.prompt)));
    prompts.end();
  }
  stopOnSignal(session);
  return answerAll(prompts, session, output, hostLine);
}

/** How the session that was chosen begins. */
function startOf(choice: SessionChoice): Pick<SessionStart, 'sessionId' | 'resume' | 'resumeAt' | 'fork'> {
  switch (choice.kind) {
    case 'new':
      return { sessionId: choice.id };
    case 'continue':
      return { sessionId: choice.newId, resume: 'newest', fork: choice.fork };
    case 'resume': {
      const resume = parseResumeTarget(choice.target);
      if (resume.kind === 'url') {
        throw new UsageError(
          '--resume takes a session id or a .jsonl file; to be driven from a URL use --sdk-url.',
        );
      }
      return { sessionId: choice.newId, resume, resumeAt: choice.at, fork: choice.fork };
    }
  }
}

/** Hosts switch file checkpoints on; they cost a copy of every file that is changed. */
function keepsFiles({ CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: text }: NodeJS.ProcessEnv): boolean {
  return text !== undefined && text !== '' && text !== '0' && text !== 'false';
}

async function rewind({ checkpoints }: OpenSession, messageId: string): Promise<number> {
  if (!checkpoints) throw new UsageError('--rewind-files needs a session that is kept on disk.');
  await checkpoints.rewind(messageId);
  await print('Files were put back.\n');
  return 0;
}

/** Where messages travel: the host that was named, or this process's stdio. Text needs none. */
async function openTransport(options: AgentOptions): Promise<Transport | undefined> {
  if (options.outputFormat !== 'stream-json') return undefined;
  if (options.sdkUrl === undefined) return createStdioTransport();
  const transport = createTransport(options.sdkUrl, {
    lossless: true,
    // A host that was there once may be away for long: work goes on, and nothing is lost meanwhile.
    reconnect: { attempts: Number.POSITIVE_INFINITY },
  });
  await firstConnection(transport, options.sdkUrl);
  return transport;
}

async function firstConnection(transport: ReturnType<typeof createTransport>, url: string): Promise<void> {
  const giveUp = new AbortController();
  const tooLate = sleep(FIRST_CONNECTION_MS, undefined, { signal: giveUp.signal }).then(() => {
    throw new UsageError(
      `Nobody answers at ${url} (waited ${FIRST_CONNECTION_MS / 1000} s). Is the host running?`,
    );
  });
  // Given up when connected in time: then nobody is left to hear about it.
  tooLate.catch(() => {});
  try {
    await Promise.race([transport.connect(), tooLate]);
  } finally {
    giveUp.abort();
  }
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
  // A host that breaks the protocol ends the work at once; one that leaves lets it finish.
  try {
    await Promise.race([work, hostLine.then(() => work)]);
  } finally {
    await session.close();
  }
  await output.finish();
  return endedWell ? 0 : 1;
}

/** Commands run in process groups of their own: they would outlive an agent that just dies. */
function stopOnSignal(session: AgentSession): void {
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      session.interrupt();
      void session.close().finally(() => process.exit(code));
    });
  }
}

async function replay(prompt: PromptMessage, sessionId: string, output: Output): Promise<void> {
  const uuid = typeof prompt.uuid === 'string' ? prompt.uuid : crypto.randomUUID();
  await output.write({
    type: 'user',
    message: prompt.message,
    parent_tool_use_id: null,
    session_id: sessionId,
    uuid,
    isReplay: true,
  });
}

function promptOf(content: string): PromptMessage {
  if (content.trim() === '') {
    throw new UsageError(
      'Input must be provided either through stdin or as a prompt argument when using --print.',
    );
  }
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' };
}

/** What stood on the command line, and what was piped in. */
async function promptText(given: string | undefined): Promise<string> {
  if (given === undefined) return readStdin(undefined);
  return [given, await readStdin(STDIN_PATIENCE_MS)].filter(Boolean).join('\n');
}

/** All of stdin; with `patienceMs` nothing when no byte came so long: a pipe may be open that nobody writes to. */
async function readStdin(patienceMs: number | undefined): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return '';
  const timer = patienceMs === undefined ? undefined : setTimeout(() => stdin.destroy(), patienceMs);
  let text = '';
  try {
    for await (const chunk of stdin.setEncoding('utf8')) {
      clearTimeout(timer);
      text += String(chunk);
    }
  } catch (error) {
    // Destroyed while it was being read: nothing came.
    if (text) throw error;
  }
  clearTimeout(timer);
  return text;
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('The working directory is gone. Change to another one and start again.');
  }
}

function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    // A reader that has seen enough is no failure.
    process.stdout.once('error', () => resolve());
    process.stdout.write(text, () => resolve());
  });
}
