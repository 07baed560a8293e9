import { userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS, timeLimit } from '@signalbox/protocol';
import type { Terminal, TerminalSize } from '@signalbox/protocol/hub';
import type { WebSocket } from 'ws';
import { ownerOf } from '../bridge/folder-lock.ts';
import { launchTerminal } from '../terminal-host/launch-terminal.ts';
import { readSavedScreen, type SavedScreen } from '../terminal-host/saved-output.ts';
import { readTerminalMeta } from '../terminal-host/terminal-folder.ts';
import { plainText } from './plain-text.ts';
import { TerminalLimitError, TerminalNotConnectedError, TerminalNotFoundError } from './terminal-errors.ts';
import { TerminalFiles } from './terminal-files.ts';
import { TerminalLink } from './terminal-link.ts';

/** How long a terminal's process may take to come back to a hub that was restarted. */
const LINK_PATIENCE_MS = 10_000;

/** How long a terminal's process may take to end its shell, and all that this started. */
const END_PATIENCE_MS = 10_000;

const LOOK_MS = 20;

const LAST_WORDS_LENGTH = 2000;

/** What it takes to run terminals. */
export interface TerminalSetup {
  /** Where Signalbox keeps its data. */
  home: string;
  /** How to run `signalbox`: the program and its first words. */
  program: readonly string[];
  /** What terminals run; the shell of whoever runs the hub unless given. */
  shell?: readonly string[];
}

/** What runs in a terminal that is started: a shell, or an agent with its own screen. */
export interface NewTerminalRun extends TerminalSize {
  folder: string;
  token: string;
  agent?: { command: readonly string[]; env: Readonly<Record<string, string>> } | undefined;
}

/** The last screen of a terminal whose process is gone. */
export interface LeftTerminal extends SavedScreen {
  epoch: string;
}

/** The terminals of this machine, and the connections of their processes. */
export class Terminals {
  readonly #setup: TerminalSetup;
  readonly #files: TerminalFiles;
  readonly #links = new Map<string, TerminalLink>();
  readonly #waiting = new Map<string, Set<(link: TerminalLink) => void>>();

  constructor(setup: TerminalSetup) {
    this.#setup = setup;
    this.#files = new TerminalFiles(setup.home);
  }

  list(session: string): Terminal[] {
    return this.#files.list(session);
  }

  /** Raises `TERMINAL_NOT_FOUND`. */
  get(session: string, number: number): Terminal {
    const terminal = this.#files.find(session, number);
    if (!terminal) throw new TerminalNotFoundError(session, number);
    return terminal;
  }

  /** A number for a new terminal. Raises `TERMINAL_LIMIT`; the oldest that has ended makes room. */
  take(session: string): number {
    const terminals = this.list(session);
    if (terminals.length >= LIMITS.terminals.most) {
      const ended = terminals.find(({ state }) => state !== 'running');
      if (!ended) throw new TerminalLimitError('terminals');
      this.#files.remove(session, ended.number);
    }
    return this.#files.take(session);
  }

  /** Run a shell, or an agent. Raises `TERMINAL_NOT_STARTED` or `TERMINAL_UNAVAILABLE`. */
  async start(session: string, number: number, { agent, ...run }: NewTerminalRun): Promise<Terminal> {
    const data = this.#files.folderOf(session, number);
    try {
      const { home, program, shell = [ownShell()] } = this.#setup;
      const command = agent ? { shell: agent.command, env: agent.env, isAgent: true } : { shell };
      await launchTerminal({ session, number, ...run, ...command, data, home, program });
      return this.get(session, number);
    } catch (error) {
      this.#files.remove(session, number);
      throw error;
    }
  }

  /** The one that runs the agent of a session, or did last. */
  ofAgent(session: string): Terminal | undefined {
    return this.list(session).findLast(({ isAgent }) => isAgent);
  }

  /** The process that runs in a terminal itself. */
  shellPid(session: string, number: number): number | undefined {
    return readTerminalMeta(this.#files.folderOf(session, number))?.shellPid;
  }

  /** End a terminal with all that runs in it, and forget what it wrote. */
  async end(session: string, number: number): Promise<Terminal> {
    const ended = await this.hangUp(session, number);
    this.#files.remove(session, number);
    return ended;
  }

  /** End what runs in a terminal; its last screen stays. */
  async hangUp(session: string, number: number): Promise<Terminal> {
    const terminal = this.get(session, number);
    const folder = this.#files.folderOf(session, number);
    const link = this.#links.get(keyOf(session, number));
    if (link) link.end();
    else signal(terminal.pid, 'SIGTERM');
    const patience = timeLimit(END_PATIENCE_MS);
    while (ownerOf(folder) && !patience.aborted) await pause(LOOK_MS);
    // What it started is then ended by its watchdog.
    const owner = ownerOf(folder);
    if (owner) signal(owner.pid, 'SIGKILL');
    const { exit = null } = readTerminalMeta(folder) ?? {};
    return { ...terminal, state: exit ? 'exited' : 'lost', pid: null, exit };
  }

  /** A session is no more. */
  async endAll(session: string): Promise<void> {
    await Promise.all(this.list(session).map(({ number }) => this.end(session, number)));
    this.#files.removeAll(session);
  }

  /** A terminal's process has come. One that comes again replaces itself. */
  connected(session: string, number: number, socket: WebSocket, onExited: () => void): void {
    const key = keyOf(session, number);
    const link = new TerminalLink(socket, onExited);
    this.#links.get(key)?.close(1012);
    this.#links.set(key, link);
    socket.once('close', () => {
      if (this.#links.get(key) === link) this.#links.delete(key);
    });
    for (const resolve of this.#waiting.get(key) ?? []) resolve(link);
    this.#waiting.delete(key);
  }

  /** The connection of a terminal that runs; undefined when it has ended. Raises `TERMINAL_NOT_CONNECTED`. */
  async link(session: string, number: number): Promise<TerminalLink | undefined> {
    const key = keyOf(session, number);
    const patience = timeLimit(LINK_PATIENCE_MS);
    for (;;) {
      const link = this.#links.get(key);
      if (link) return link;
      if (this.get(session, number).state !== 'running') return undefined;
      if (patience.aborted) throw new TerminalNotConnectedError(number);
      await this.#nextLook(key);
    }
  }

  /** Settles when the process of a terminal is gone, or `stop` fires. */
  async ended(session: string, number: number, stop: AbortSignal): Promise<void> {
    const key = keyOf(session, number);
    while (!stop.aborted && this.#files.find(session, number)?.state === 'running') {
      const link = this.#links.get(key);
      await Promise.race([link ? link.closed : this.#nextLook(key), aborted(stop)]);
    }
  }

  /** What a terminal whose process is gone has left. */
  left(session: string, number: number): LeftTerminal | undefined {
    const folder = this.#files.folderOf(session, number);
    const saved = readSavedScreen(folder);
    const epoch = readTerminalMeta(folder)?.epoch;
    return saved && epoch !== undefined ? { ...saved, epoch } : undefined;
  }

  /** The end of what an ended terminal showed, as plain text. */
  lastWords(session: string, number: number): string {
    const left = this.left(session, number);
    const text = left ? left.screen.data + left.bytes.toString() : '';
    return plainText(text).slice(-LAST_WORDS_LENGTH);
  }

  /** Let go of all; they dial again. */
  close(): void {
    for (const link of this.#links.values()) link.close(1001);
  }

  /** Settles when it has come, or it is time to look whether its process still runs. */
  #nextLook(key: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, waiting);
      const done = (): void => {
        waiting.delete(done);
        resolve();
      };
      waiting.add(done);
      setTimeout(done, 10 * LOOK_MS).unref();
    });
  }
}

function aborted(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The shell of whoever runs the hub; a service is not told by its environment. */
function ownShell(): string {
  try {
    return process.env.SHELL || userInfo().shell || '/bin/sh';
  } catch {
    // Nobody that the system knows.
    return '/bin/sh';
  }
}

function keyOf(session: string, number: number): string {
  return `${number} ${session}`;
}

function signal(pid: number | null, name: NodeJS.Signals): void {
  try {
    if (pid !== null) process.kill(pid, name);
  } catch {
    // ESRCH: gone already.
  }
}
