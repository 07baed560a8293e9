import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { messageOf, SignalboxError } from '@signalbox/protocol';
import { settledWithin } from '../settled-within.ts';
import { readLastWords } from './last-words.ts';
import { descendantsOf } from './process-tree.ts';
import { StreamTransport } from './stream-transport.ts';

/** How long a child may take to leave after its input ended, and again after SIGTERM. */
export const CHILD_GRACE_MS = { afterEndOfInput: 2000, afterSigterm: 5000 } as const;

/** How much of what a child wrote to stderr is kept for error messages. */
export const STDERR_TAIL_CHARS = 8192;

/** The command could not be started. */
export class ChildNotStartedError extends SignalboxError {
  constructor(command: string, cause: unknown) {
    const message = `Cannot start ${command}: ${messageOf(cause)}. Check that it is installed and may run.`;
    super('CHILD_NOT_STARTED', message, { cause });
  }
}

/** How a child ended. */
export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** What to run, and how. */
export interface ChildOptions {
  command: string;
  args?: readonly string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  maxLineBytes?: number;
  graceMs?: { afterEndOfInput: number; afterSigterm: number };
  onStderr?: (text: string) => void;
}

/** Start a program that speaks lines on its stdio. Rejects with {@link ChildNotStartedError}. */
export async function spawnTransport(options: ChildOptions): Promise<ChildTransport> {
  const { command, args = [], cwd, env } = options;
  try {
    // A process group of its own, so that the whole tree can be ended together.
    const child = spawn(command, args, { cwd, env, stdio: 'pipe', detached: true });
    await once(child, 'spawn');
    return new ChildTransport(child, options);
  } catch (error) {
    // The system reports a missing folder as if the command were missing.
    const isLost = cwd !== undefined && !existsSync(cwd);
    const cause = isLost ? new Error(`its working directory ${cwd} does not exist`, { cause: error }) : error;
    throw new ChildNotStartedError(command, cause);
  }
}

/**
 * The transport to a child process. Closing it ends the child and everything the child started: by the end of its
 * input, then SIGTERM, then SIGKILL, each after its grace.
 */
export class ChildTransport extends StreamTransport {
  readonly pid: number;
  /** Settles when the child is gone and all that it wrote was read. */
  readonly exited: Promise<ChildExit>;
  readonly #graceMs: { afterEndOfInput: number; afterSigterm: number };
  #life: 'running' | 'gone' = 'running';
  #stderrTail = '';

  constructor(child: ChildProcessWithoutNullStreams, options: ChildOptions) {
    super(child.stdout, child.stdin, options);
    if (child.pid === undefined) throw new ChildNotStartedError(options.command, 'it has no process id');
    this.pid = child.pid;
    this.#graceMs = options.graceMs ?? CHILD_GRACE_MS;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_TAIL_CHARS);
      options.onStderr?.(text);
    });
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        // What the child started and left behind must not outlive it.
        killIfThere(-this.pid, 'SIGKILL');
        // From now on the system may give its id to a stranger.
        this.#life = 'gone';
        this.readWithoutBackpressure();
        void Promise.all([readLastWords(child.stdout), readLastWords(child.stderr)]).then(() =>
          resolve({ code, signal }),
        );
      });
    });
  }

  /** The end of what the child wrote to stderr. */
  get stderrTail(): string {
    return this.#stderrTail;
  }

  /** Signal the child and its process group; SIGKILL also reaches what has left the group. */
  kill(signal: NodeJS.Signals): void {
    if (this.#life === 'gone') return;
    const strays = signal === 'SIGKILL' ? descendantsOf(this.pid) : [];
    for (const target of [-this.pid, ...strays]) killIfThere(target, signal);
  }

  protected override async delivered(): Promise<void> {
    // A child that does not read cannot take the end of its input either: do not wait for that.
    void this.endInput();
    if (await settledWithin(this.exited, this.#graceMs.afterEndOfInput)) return;
    this.kill('SIGTERM');
    if (await settledWithin(this.exited, this.#graceMs.afterSigterm)) return;
    this.kill('SIGKILL');
    await this.exited;
  }
}

function killIfThere(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // ESRCH: gone already.
  }
}
