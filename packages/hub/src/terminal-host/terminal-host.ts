import { randomBytes } from 'node:crypto';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS, messageOf, SignalboxError } from '@signalbox/protocol';
import { type TerminalExit, type TerminalSize, terminalSize } from '@signalbox/protocol/hub';
import { agentEnvironment } from '../bridge/agent-environment.ts';
import { endTree, TREE_MARK } from '../bridge/agent-tree.ts';
import { BridgeLog } from '../bridge/bridge-log.ts';
import { maskCommand } from '../bridge/mask-command.ts';
import { Watchdog } from '../bridge/watchdog.ts';
import { ByteRing } from './byte-ring.ts';
import { FloodWatch } from './flood-watch.ts';
import { HubDial } from './hub-dial.ts';
import { encodeMessage, OWN_CHANNEL, type TerminalReport } from './link-frame.ts';
import { OutputGuard } from './output-guard.ts';
import { SavedOutput } from './saved-output.ts';
import { Screen } from './screen.ts';
import { Shell } from './shell.ts';
import { type TerminalMeta, writeTerminalMeta } from './terminal-folder.ts';
import { TerminalViewers } from './terminal-viewers.ts';
import type { TerminalSource } from './viewer-feed.ts';

/** The shell is not read any further while so much of its output is not drawn. */
const UNDRAWN_HIGH_BYTES = 512 * 1024;
const UNDRAWN_LOW_BYTES = 128 * 1024;

/** How long viewers may take to get the last of a shell that has ended; later they get it from disk. */
const GOODBYE_MS = 3000;

/** How long a shell may take to leave once its terminal is closed. */
const HANG_UP_MS = 2000;

/** Steps of the system's priority by which drawing comes after other work; with these a key's echo is as fast as without. */
const LESS_IMPORTANT = 10;

/** What a terminal's process is told at its start. */
export interface TerminalHostOptions extends TerminalSize {
  session: string;
  number: number;
  /** Where the shell begins. */
  folder: string;
  shell: readonly string[];
  /** Variables of its own for what runs there. */
  env?: Readonly<Record<string, string>>;
  /** Whether an agent runs there, and not a shell. */
  isAgent?: boolean;
  /** Where it keeps what it knows of itself, and its output. */
  data: string;
  /** Where Signalbox keeps its data. */
  home: string;
  token: string;
  /** How to run `signalbox` once more: the program and its first words. */
  program: readonly string[];
}

/** Owns a shell on a terminal, what that has written, and its screen; hubs come and go. */
export class TerminalHost implements TerminalSource {
  readonly epoch = randomBytes(6).toString('hex');
  readonly output = new ByteRing(LIMITS.terminalLogBytes.most);
  readonly screen: Screen;
  readonly floods: FloodWatch;
  readonly #options: TerminalHostOptions;
  readonly #saved: SavedOutput;
  readonly #log: BridgeLog;
  readonly #guard = new OutputGuard(() => this.#size);
  readonly #viewers: TerminalViewers;
  readonly #meta: TerminalMeta;
  #hub: HubDial | undefined;
  #shell: Shell | undefined;
  #size: TerminalSize;
  #resizes = 0;
  #resizedAt = 0;
  #isPaused = false;
  #isSaving = false;
  readonly #ending = new AbortController();

  constructor(options: TerminalHostOptions) {
    const { session, number, folder, shell, data, isAgent = false } = options;
    this.#options = options;
    this.#size = terminalSize(options);
    this.#log = new BridgeLog(`${data}/terminal.log`);
    this.#saved = new SavedOutput(data, (error) => this.#log.note(error.message));
    this.#viewers = new TerminalViewers(this, {
      send: (frame) => this.#hub?.send(frame),
      type: (bytes) => this.#shell?.type(bytes) ?? true,
      resize: (size) => this.#resize(size),
      end: () => this.end(),
    });
    this.screen = new Screen({
      ...this.#size,
      scrollback: LIMITS.terminalScrollback.most,
      onReply: (text) => this.#shell?.answer(Buffer.from(text, 'latin1')),
      onBell: () => this.#viewers.rang(),
    });
    this.floods = new FloodWatch(this.output, this.screen);
    const mark = crypto.randomUUID();
    const startedAt = Date.now();
    const command = maskCommand(shell).join(' ');
    const place = { session, number, epoch: this.epoch, pid: process.pid, shell: command, folder };
    this.#meta = { ...place, isAgent, startedAt, mark };
  }

  get size(): TerminalSize {
    return this.#size;
  }

  get resizes(): number {
    return this.#resizes;
  }

  get resizedAt(): number {
    return this.#resizedAt;
  }

  /** Close the terminal: the shell hangs up, and all that it started is ended. */
  end(): void {
    this.#ending.abort();
  }

  /** Run the shell to its end. Raises `TERMINAL_UNAVAILABLE`, or what the system says to the shell. */
  async run(): Promise<void> {
    const { data, program, session, number, home, token } = this.#options;
    writeTerminalMeta(data, this.#meta);
    // Before the shell: there must be no moment in which a kill would leave it alone.
    const watchdog = new Watchdog([...program, 'bridge', '--end-tree', this.#meta.mark], (text) =>
      this.#log.note(text),
    );
    try {
      this.#shell = await this.#start();
    } catch (error) {
      const code = error instanceof SignalboxError ? error.code : 'TERMINAL_NOT_STARTED';
      writeTerminalMeta(data, { ...this.#meta, failure: { code, message: messageOf(error) } });
      watchdog.dismiss();
      throw error;
    }
    const shell = this.#shell;
    giveWay();
    watchdog.watch(shell.pid);
    await this.#save();
    this.#meta.shellPid = shell.pid;
    writeTerminalMeta(data, this.#meta);
    this.#hub = new HubDial({
      home,
      path: `/terminal/${encodeURIComponent(session)}/${number}`,
      token,
      onFrame: (frame) => this.#viewers.hear(frame),
      onLost: () => this.#viewers.lost(),
      onRefused: () => this.end(),
      log: (text) => this.#log.note(text),
    });
    this.#ending.signal.addEventListener('abort', () => void this.#hangUp(shell), { once: true });
    const exit = await shell.exited;
    if (this.#ending.signal.aborted) await endTree(this.#meta.mark, shell.pid);
    watchdog.dismiss();
    await this.#leave(exit);
  }

  #start(): Promise<Shell> {
    const { shell, folder, env: own = {} } = this.#options;
    const { SIGNALBOX_TERMINAL: _, ...env } = agentEnvironment(process.env, {
      ...charactersFor({ ...process.env, ...own }),
      ...own,
      [TREE_MARK]: this.#meta.mark,
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      TERM_PROGRAM: 'signalbox',
    });
    return Shell.start({
      command: shell,
      cwd: folder,
      env,
      ...this.#size,
      onOutput: (bytes) => this.#wrote(bytes),
    });
  }

  #wrote(written: Uint8Array): void {
    const bytes = this.#guard.push(written);
    this.output.push(bytes);
    this.#saved.append(bytes);
    // Before it is drawn here: an echo is waited for.
    this.#viewers.more();
    this.screen.write(bytes, () => this.#drew());
    if (!this.#isPaused && this.screen.behind > UNDRAWN_HIGH_BYTES) {
      this.#isPaused = true;
      this.#shell?.pause('undrawn');
    }
    if (this.#saved.size > LIMITS.terminalLogBytes.most) void this.#save();
  }

  #drew(): void {
    if (!this.#isPaused || this.screen.behind > UNDRAWN_LOW_BYTES) return;
    this.#isPaused = false;
    this.#shell?.resume('undrawn');
  }

  #resize(asked: TerminalSize): void {
    const size = terminalSize(asked);
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#resizes += 1;
    this.#resizedAt = this.output.end;
    this.#shell?.resize(size);
    void this.screen.resize(size);
    this.#viewers.resized();
    void this.#save();
  }

  /** Begin another file with the screen as it is; what is asked for meanwhile is done by the same one, or by the next. */
  async #save(): Promise<void> {
    if (this.#isSaving) return;
    this.#isSaving = true;
    const screen = await this.screen.snapshot(LIMITS.terminalScrollback.most);
    this.#saved.begin(screen, this.output.read(screen.offset, this.output.end - screen.offset));
    this.#isSaving = false;
    if (screen.resizes !== this.#resizes) await this.#save();
  }

  async #hangUp(shell: Shell): Promise<void> {
    shell.hangUp();
    const isGone = await Promise.race([shell.exited, pause(HANG_UP_MS, 'still there', { ref: false })]);
    if (isGone === 'still there') await endTree(this.#meta.mark, shell.pid);
  }

  async #leave(exit: TerminalExit): Promise<void> {
    await this.#save();
    this.#saved.end();
    writeTerminalMeta(this.#options.data, { ...this.#meta, exit });
    await Promise.race([this.#viewers.told(exit), pause(GOODBYE_MS, undefined, { ref: false })]);
    const report: TerminalReport = { type: 'exited', exit };
    this.#hub?.send(encodeMessage(OWN_CHANNEL, report));
    await this.#hub?.close(GOODBYE_MS);
    this.screen.dispose();
  }
}

/**
 * Where there is not enough processor for all, to draw much output waits for agents and for whoever types. What runs in the
 * terminal was started before this, and is as important as anything.
 */
function giveWay(): void {
  try {
    setPriority(getPriority() + LESS_IMPORTANT);
  } catch {
    // Not allowed here: it draws at the priority of everything else.
  }
}

/** The screen takes UTF-8 and nothing else; a hub that a service manager started has no locale that would say so to programs. */
function charactersFor({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): Record<string, string> {
  if (LC_ALL || LC_CTYPE || LANG) return {};
  return { LC_CTYPE: process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8' };
}
