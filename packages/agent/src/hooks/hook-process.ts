import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from '../process/command.ts';
import { HeardOutput } from './heard-output.ts';

/** What to run, and what to tell it. */
export interface HookProcessOptions {
  readonly command: string;
  /** What it reads from its input. */
  readonly input: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Unique among all commands; everything it starts is found by it. */
  readonly mark: string;
  readonly timeoutMs: number;
  /** A command that prints more is ended. */
  readonly maxChars?: number;
}

/** How a hook's command ended. */
export type HookEnd =
  | { readonly how: 'exited'; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | CutShort;

type CutShort = { readonly how: 'timed out'; readonly afterMs: number } | { readonly how: 'stopped' };

/** A command of a hook that runs in bash. */
export class HookProcess {
  readonly heard: HeardOutput;
  /** Settles when bash has ended, whatever it left running. */
  readonly ended: Promise<HookEnd>;
  readonly #command: Command;
  #cut: CutShort | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Rejects where bash cannot be started. */
  static async start(options: HookProcessOptions): Promise<HookProcess> {
    // A file, not a pipe: a hook that does not read its input breaks nothing, however long that is.
    const inputFile = join(tmpdir(), `signalbox-${options.mark}input`);
    const removeInput = () => rm(inputFile, { force: true });
    await writeFile(inputFile, `${options.input}\n`, { mode: 0o600, flag: 'wx' });
    const { maxChars = Number.POSITIVE_INFINITY } = options;
    let process: HookProcess | undefined;
    try {
      const heard = new HeardOutput();
      const command = await Command.start({
        ...options,
        // The command must see neither the file's name nor its own text among its arguments.
        args: ['-c', 'exec <"$1"; eval "shift 2; $2"', 'bash', inputFile, options.command],
        onStdout: (text) => {
          heard.addStdout(text);
          if (heard.heardChars > maxChars) void process?.stop();
        },
        onStderr: (text) => heard.addStderr(text),
      });
      process = new HookProcess(command, heard, options.timeoutMs, removeInput);
      return process;
    } catch (error) {
      await removeInput();
      throw error;
    }
  }

  private constructor(
    command: Command,
    heard: HeardOutput,
    timeoutMs: number,
    removeInput: () => Promise<void>,
  ) {
    this.#command = command;
    this.heard = heard;
    this.limit(timeoutMs);
    this.ended = command.ended.then(async (end) => {
      clearTimeout(this.#timer);
      await removeInput();
      return this.#cut ?? { how: 'exited', ...end };
    });
  }

  /** Give it this long from now on. */
  limit(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#end({ how: 'timed out', afterMs: ms }), ms).unref();
  }

  /** End it with everything it started; settles when it is over. */
  async stop(): Promise<void> {
    await this.#end({ how: 'stopped' });
  }

  async #end(cut: CutShort): Promise<void> {
    this.#cut ??= cut;
    await this.#command.kill();
  }
}
