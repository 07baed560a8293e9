import { type JsonObject, messageOf } from '@signalbox/protocol';
import { killTree } from '../process/process-tree.ts';
import { HookFailure } from './hook-failure.ts';
import { HookProcess } from './hook-process.ts';
import { DEFAULT_HOOK_TIMEOUT_MS } from './hook-rules.ts';

/** A status line that prints more is ended, and shows nothing. */
export const MAX_STATUS_CHARS = 100_000;

/** How many lines of it are shown. */
export const MAX_STATUS_LINES = 20;

/** How much of a problem is told: it is one line. */
const MAX_PROBLEM_CHARS = 500;

/** What a run is told. */
export interface StatusRun {
  readonly input: JsonObject;
  readonly cwd: string;
  /** Of the terminal. */
  readonly columns: number;
  readonly rows: number;
  /** Nobody waits any more: the command is ended. */
  readonly signal: AbortSignal;
}

/** The command that tells what stands below the prompt. It runs once at a time: a new run ends the one before. */
export class StatusLine {
  readonly padding: number;
  readonly #command: string;
  readonly #parts: StatusLineParts;
  readonly #timeoutMs: number;
  readonly #mark = crypto.randomUUID();
  #running: Promise<HookProcess | undefined> = Promise.resolve(undefined);
  #runs = 0;
  #state: 'open' | 'closed' = 'open';
  #toldFailure = '';

  constructor(
    { command, padding }: { command: string; padding: number },
    parts: StatusLineParts,
    timeoutMs = DEFAULT_HOOK_TIMEOUT_MS,
  ) {
    this.#command = command;
    this.padding = padding;
    this.#parts = parts;
    this.#timeoutMs = timeoutMs;
  }

  /** What is to be shown: nothing of a command that fails. Undefined where a newer run has taken the place of this one. */
  async run(run: StatusRun): Promise<string | undefined> {
    const number = (this.#runs += 1);
    const isWanted = (): boolean => number === this.#runs && this.#state === 'open' && !run.signal.aborted;
    const before = this.#running;
    const started = (async () => {
      await (await before)?.stop();
      return isWanted() ? this.#start(run, number) : undefined;
    })();
    this.#running = started.catch(() => undefined);
    try {
      const process = await started;
      if (!process) return undefined;
      const shown = await this.#outcome(process, run.signal, isWanted);
      this.#toldFailure = '';
      return shown;
    } catch (failure) {
      this.#tell(`The statusLine of the settings failed: ${messageOf(failure)}`);
      return '';
    }
  }

  /** End what runs, and what was left behind. */
  async close(): Promise<void> {
    this.#state = 'closed';
    await (await this.#running)?.stop();
    if (this.#runs > 0) killTree({ mark: this.#mark });
  }

  #start({ input, cwd, columns, rows }: StatusRun, number: number): Promise<HookProcess> {
    const { env, projectDir } = this.#parts;
    return HookProcess.start({
      command: this.#command,
      input: JSON.stringify(input),
      cwd,
      env: { ...env, CLAUDE_PROJECT_DIR: projectDir, COLUMNS: String(columns), LINES: String(rows) },
      mark: `${this.#mark}.${number}.`,
      timeoutMs: this.#timeoutMs,
      maxChars: MAX_STATUS_CHARS,
    });
  }

  async #outcome(
    process: HookProcess,
    signal: AbortSignal,
    isWanted: () => boolean,
  ): Promise<string | undefined> {
    const stop = (): void => void process.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (!isWanted()) stop();
    const end = await process.ended.finally(() => signal.removeEventListener('abort', stop));
    if (process.heard.heardChars > MAX_STATUS_CHARS)
      throw new HookFailure(`it printed more than ${MAX_STATUS_CHARS} characters; print less`);
    if (end.how === 'stopped') return undefined;
    if (end.how === 'timed out') throw new HookFailure(`it was ended after ${end.afterMs / 1000} s`);
    if (end.code === 0) return shownLines(process.heard.answer());
    const how = end.code === null ? `was killed by ${end.signal}` : `ended with code ${end.code}`;
    const complaint = process.heard.shown().stderr.replace(/\s+/g, ' ').trim();
    throw new HookFailure(complaint ? `it ${how}: ${complaint}` : `it ${how}`);
  }

  /** Once, until it has worked again or fails in another way: it is run after every reply. */
  #tell(failure: string): void {
    if (failure === this.#toldFailure) return;
    this.#toldFailure = failure;
    this.#parts.onProblem(failure.slice(0, MAX_PROBLEM_CHARS));
  }
}

interface StatusLineParts {
  /** The command finds it in `CLAUDE_PROJECT_DIR`. */
  readonly projectDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** One line for the person. */
  readonly onProblem: (text: string) => void;
}

/** Lines without what surrounds them; empty ones are left out, as in `claude`. */
function shownLines(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).slice(0, MAX_STATUS_LINES).join('\n');
}
