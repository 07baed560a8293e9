import { Socket } from 'node:net';
import type * as NodePty from '@lydell/node-pty';
import type { TerminalExit, TerminalSize } from '@signalbox/protocol/hub';
import { FreeProcessors } from './free-processors.ts';
import { InputQueue } from './input-queue.ts';
import { OutputPace } from './output-pace.ts';
import { TerminalUnavailableError } from './terminal-errors.ts';

/** How much is still read of what others write to the terminal of a shell that has ended. */
const LEFT_BYTES = 1024 * 1024;

const LOOK_MS = 20;

/** What to run on a terminal. */
export interface ShellOptions extends TerminalSize {
  command: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  onOutput: (bytes: Uint8Array) => void;
  /** How many processors are free, in place of {@link FreeProcessors}. */
  free?: () => number | undefined;
}

/** Why a program's output is not read: what was read is not drawn yet, or it gives way. */
export type PauseReason = 'undrawn' | 'pace';

/** A program on a terminal of its own. */
export class Shell {
  readonly pid: number;
  /** Settles when it is gone and all that it wrote was read. */
  readonly exited: Promise<TerminalExit>;
  readonly #pty: NodePty.IPty;
  readonly #input: InputQueue;
  readonly #pace: OutputPace;
  readonly #paused = new Set<PauseReason>();
  #read = 0;

  /** Raises `TERMINAL_UNAVAILABLE`. */
  static async start(options: ShellOptions): Promise<Shell> {
    const { command, cwd, env, cols, rows } = options;
    const [program = '/bin/sh', ...args] = command;
    const { spawn } = await nodePty();
    return new Shell(
      spawn(program, args, { name: 'xterm-256color', cols, rows, cwd, env, encoding: null }),
      options,
    );
  }

  private constructor(pty: NodePty.IPty, { onOutput, free }: ShellOptions) {
    this.#pty = pty;
    this.pid = pty.pid;
    this.#input = new InputQueue(descriptorOf(pty));
    const processors = new FreeProcessors();
    this.#pace = new OutputPace({
      stop: () => this.pause('pace'),
      go: () => this.resume('pace'),
      free: free ?? (() => processors.since()),
    });
    this.#readToTheEnd();
    // Without an encoding it gives bytes, whatever its types say.
    const hear = (data: string | Uint8Array): void => {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      this.#read += bytes.length;
      onOutput(bytes);
      this.#pace.read(bytes.length);
    };
    pty.onData(hear);
    this.exited = new Promise((resolve) => {
      pty.onExit(({ exitCode, signal = 0 }) => {
        this.#input.end();
        resolve(signal > 0 ? { code: null, signal } : { code: exitCode, signal: null });
      });
    });
  }

  /** How fast its output is read. */
  get pace(): OutputPace['state'] {
    return this.#pace.state;
  }

  /** Stop reading: the program waits once the system holds enough of its output. */
  pause(reason: PauseReason): void {
    this.#paused.add(reason);
    this.#pty.pause();
  }

  /** Read on, unless there is another reason not to. */
  resume(reason: PauseReason): void {
    this.#paused.delete(reason);
    if (this.#paused.size === 0) this.#pty.resume();
  }

  /** False when the program does not read and too much waits for it. */
  type(bytes: Uint8Array): boolean {
    this.#pace.typed();
    return this.#input.push(bytes);
  }

  /** What the program asked its terminal. */
  answer(bytes: Uint8Array): void {
    this.#input.push(bytes);
  }

  resize({ cols, rows }: TerminalSize): void {
    try {
      this.#pty.resize(cols, rows);
    } catch {
      // It has ended just now.
    }
  }

  /** As when its window is closed. */
  hangUp(): void {
    this.#pty.kill('SIGHUP');
  }

  /** node-pty gives up what was not read a fifth of a second after the exit, which is too soon for a reader that waits. */
  #readToTheEnd(): void {
    const socket: unknown = Reflect.get(this.#pty, '_socket');
    if (!(socket instanceof Socket)) return;
    const destroy = socket.destroy.bind(socket);
    socket.destroy = (error?: Error) => {
      if (error) return destroy(error);
      let before = this.#read;
      const most = before + LEFT_BYTES;
      const look = (): void => {
        const isQuiet = this.#paused.size === 0 && this.#read === before;
        before = this.#read;
        if (isQuiet || before > most || socket.destroyed) destroy();
        else setTimeout(look, LOOK_MS);
      };
      look();
      return socket;
    };
  }
}

async function nodePty(): Promise<Pick<typeof NodePty, 'spawn'>> {
  try {
    return await import('@lydell/node-pty');
  } catch (error) {
    throw new TerminalUnavailableError(error);
  }
}

function descriptorOf(pty: NodePty.IPty): number {
  const fd: unknown = Reflect.get(pty, 'fd');
  return typeof fd === 'number' ? fd : -1;
}
