import { constants } from 'node:os';
import { messageOf } from '@signalbox/protocol';
import { ChildTransport, type Transport } from '@signalbox/transport';
import type { History } from './input/history.ts';
import { openTerminal, type TerminalStreams } from './terminal/open-terminal.ts';

/** What a chat needs. */
export interface ChatOptions extends TerminalStreams {
  /** The agent is at its other end. The chat closes it when it is over. */
  transport: Transport;
  cwd: string;
  /** The first words on the screen. */
  title?: string;
  /** Why nothing is heard of the agent at the moment, where that can be: it is shown in place of what it does. */
  absence?: () => string | undefined;
  history?: History;
  /** Whether a script answers: of one no costs are shown. */
  isScripted?: boolean;
  initialPrompt?: string;
}

/** Signals that end a chat as its person would, and the code that a shell gives to what a signal ended. */
const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;
const SIGNALLED = 128;

/** Chat with an agent until one of the two leaves. Returns the exit code: 0, or 1 when the agent ended by itself. */
export async function runChat(options: ChatOptions): Promise<number> {
  const { transport, cwd, title = 'signalbox', absence = () => undefined, history, initialPrompt } = options;
  const { isScripted = false, stdout = process.stdout } = options;
  const terminal = openTerminal(options);
  const { Chat } = await import('./chat.ts');
  const { SPINNER_MS } = await import('./view/live-lines.ts');
  let leave: (code: number) => void = () => {};
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });
  const onSignal = (signal: NodeJS.Signals): void => leave(SIGNALLED + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const onLeave = (): void => leave(0);
  const chat = new Chat({
    transport,
    cwd,
    title,
    history,
    absence,
    isScripted,
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    onChange: terminal.redraw,
    onLeave,
  });
  terminal.use({
    picture: (columns, rows) => chat.picture(columns, rows, Date.now()),
    lastPicture: (columns) => chat.lastPicture(columns),
    onKey: (key) => chat.onKey(key),
    onEnd: onLeave,
  });
  const ticking = setInterval(() => chat.isMoving && terminal.redraw(), SPINNER_MS);
  const ended = chat.run(initialPrompt).then(
    () => 'The agent has ended',
    (error: unknown) => `The agent is lost: ${messageOf(error)}`,
  );
  const end = await Promise.race([ended, left]);
  clearInterval(ticking);
  if (typeof end === 'string') chat.end(await lastWords(end, transport, chat.sessionId), 'error');
  else if (chat.sessionId) chat.end(`Go on later with --resume ${chat.sessionId}`, 'quiet');
  terminal.close();
  await transport.close();
  for (const signal of SIGNALS) process.off(signal, onSignal);
  return typeof end === 'string' ? 1 : end;
}

/** Why the agent is gone, as far as it said, and how to go on. */
async function lastWords(problem: string, transport: Transport, sessionId: string): Promise<string> {
  const goOn = sessionId
    ? `Nothing that was said is lost: start it again with --resume ${sessionId}`
    : 'Start it again; with --debug it tells more';
  if (!(transport instanceof ChildTransport)) return `${problem}.\n${goOn}`;
  const { code, signal } = await transport.exited;
  const how = signal ? `by ${signal}` : `with exit code ${code}`;
  const said = transport.stderrTail.trim();
  return `${problem} ${how}.${said ? `\n${said}` : ''}\n${goOn}`;
}
