import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '@signalbox/protocol';
import { childEnvironment } from '../base/child-environment.ts';
import { systemCode, ToolFailure } from '../base/tool-failure.ts';
import { COMMAND_MARK, killTree } from './process-tree.ts';

/** A pipe that is silent for this long after its process ended holds nothing more of it. */
const SILENCE_MS = 100;

/** By then a pipe has been emptied: whoever still writes is not the process that ended. */
const MAX_LAST_LOOKS = 5;

/** What to run, and who listens. */
export interface CommandOptions {
  /** What runs bash, unless it is bash itself. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Unique among all commands; see {@link COMMAND_MARK}. */
  readonly mark: string;
  onStdout(text: string): void;
  onStderr(text: string): void;
}

/** How a command ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A command that runs in bash. */
export class Command {
  /** Settles when bash has ended and all it said was heard, whatever it left running. */
  readonly ended: Promise<CommandEnd>;
  readonly #child: ChildProcess;
  readonly #mark: string;
  #life: 'running' | 'over' = 'running';

  /** Rejects where bash cannot be started. */
  static async start(options: CommandOptions): Promise<Command> {
    const { program = 'bash' } = options;
    const child = spawnPiped(program, options);
    const command = new Command(child, options);
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) =>
        reject(new ToolFailure(`Cannot run ${program} in ${options.cwd}: ${messageOf(error)}`, error)),
      );
    });
    return command;
  }

  private constructor(child: ChildProcess, options: CommandOptions) {
    this.#child = child;
    this.#mark = options.mark;
    const pipes = [
      listen(child.stdout, (text) => options.onStdout(text)),
      listen(child.stderr, (text) => options.onStderr(text)),
    ];
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        void Promise.all(pipes.map((lastWords) => lastWords())).then(() => {
          this.#life = 'over';
          resolve({ code, signal });
        });
      });
    });
  }

  /** End it and everything it started; settles when it is over. */
  async kill(): Promise<void> {
    if (this.#life === 'running') {
      const { pid, exitCode, signalCode } = this.#child;
      // Once bash is gone, its process id may be a stranger's.
      const isAlive = exitCode === null && signalCode === null;
      killTree({ mark: this.#mark, pid: isAlive ? pid : undefined });
    }
    await this.ended;
  }
}

/** Hands over what a pipe says; the function returned settles once the process behind it can have nothing more to say. */
function spawnPiped(program: string, { args, cwd, env, mark }: CommandOptions): ChildProcess {
  try {
    return spawn(program, args, {
      cwd,
      env: childEnvironment(env, { [COMMAND_MARK]: mark }),
      // A process group of its own: what the command starts ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    if (systemCode(error) !== 'E2BIG') throw error;
    const length = Math.max(...args.map((arg) => arg.length));
    const why = `the system takes no command of ${length} characters, or no such environment`;
    throw new ToolFailure(`Nothing was run: ${why}. Write it to a file and run that.`, error);
  }
}

function listen(pipe: Readable | null, onText: (text: string) => void): () => Promise<void> {
  if (!pipe) return () => Promise.resolve();
  let hear = onText;
  const heard = { chars: 0 };
  pipe.setEncoding('utf8').on('data', (text: string) => {
    heard.chars += text.length;
    hear(text);
  });
  const closed = new Promise<void>((resolve) => pipe.once('close', resolve));
  return async () => {
    for (let looks = 0, before = -1; heard.chars > before && looks < MAX_LAST_LOOKS; looks += 1) {
      before = heard.chars;
      await Promise.race([closed, delay(SILENCE_MS, undefined, { ref: false })]);
      // A busy process finds the time over before it has looked at its pipes.
      await nextTurn();
    }
    // What was left behind may go on writing: it is read, or it would die of a broken pipe, but not kept.
    hear = () => {};
    if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  };
}
