import { join } from 'node:path';
import { ToolFailure } from '../base/tool-failure.ts';
import { killTree } from '../process/process-tree.ts';

/** How many tasks may run at a time. */
export const MAX_RUNNING_TASKS = 32;

/** How many tasks that have ended are remembered, with their output. */
export const MAX_ENDED_TASKS = 100;

/** Who ends a task: the model that started it, a person, or the session that ends. */
export type StoppedBy = 'parent' | 'user' | 'system';

/** A command or sub-agent that goes on while the conversation does. */
export interface BackgroundTask {
  readonly id: string;
  readonly kind: 'bash' | 'agent';
  readonly description: string;
  /** What a shell runs. */
  readonly command?: string;
  readonly toolUseId: string;
  /** Where what it says is written down; absent where nothing is kept. */
  readonly file: string | undefined;
  status(): 'running' | 'completed' | 'failed' | 'stopped';
  /** What it has said since it started. */
  output(): string;
  /** Of a command that has ended by itself. */
  exitCode?(): number | null;
  /** Settles when it has ended. */
  readonly ended: Promise<void>;
  /** End it and everything it started. */
  stop(by: StoppedBy): Promise<void>;
}

/** The background tasks of a session, by id. */
export class TaskRegistry {
  readonly #tasks = new Map<string, BackgroundTask>();
  readonly #onAdded: (task: BackgroundTask) => void;
  readonly #mark = crypto.randomUUID();
  #commands = 0;

  readonly #folder: () => string | undefined;

  /** What commands say is written down in `folder`, if there is one. */
  constructor(
    onAdded: (task: BackgroundTask) => void = () => {},
    folder: () => string | undefined = () => undefined,
  ) {
    this.#onAdded = onAdded;
    this.#folder = folder;
  }

  /** Where what a command says is to be written down. */
  fileOf(taskId: string): string | undefined {
    const folder = this.#folder();
    return folder === undefined ? undefined : join(folder, `${taskId}.output`);
  }

  /** A mark for the next command's processes, by which {@link stopAll} finds them. */
  newMark(): string {
    this.#commands += 1;
    return `${this.#mark}.${this.#commands}.`;
  }

  /** Throws, in words for the model, when too many run already. */
  assertRoom(): void {
    const running = this.all().filter((task) => task.status() === 'running');
    if (running.length < MAX_RUNNING_TASKS) return;
    throw new ToolFailure(`${MAX_RUNNING_TASKS} background tasks are running. Stop one with TaskStop first.`);
  }

  add(task: BackgroundTask): void {
    const ended = this.all().filter((known) => known.status() !== 'running');
    for (const { id } of ended.slice(0, -MAX_ENDED_TASKS)) this.#tasks.delete(id);
    this.#tasks.set(task.id, task);
    this.#onAdded(task);
  }

  find(id: string): BackgroundTask | undefined {
    return this.#tasks.get(id);
  }

  all(): readonly BackgroundTask[] {
    return [...this.#tasks.values()];
  }

  /** End all that run, and what commands have left behind: nothing outlives its session. */
  async stopAll(): Promise<void> {
    await Promise.all(this.all().map((task) => task.stop('system')));
    if (this.#commands > 0) killTree({ mark: this.#mark });
  }
}
