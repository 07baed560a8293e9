import { Command, type CommandOptions } from '../process/command.ts';
import { KeptOutput } from '../process/kept-output.ts';
import { TaskFile } from './task-file.ts';
import type { BackgroundTask } from './task-registry.ts';

/** A command that goes on while the conversation does. */
export class BashTask implements BackgroundTask {
  readonly id: string;
  readonly kind = 'bash';
  readonly description: string;
  readonly command: string;
  readonly toolUseId: string;
  readonly file: string | undefined;
  readonly ended: Promise<void>;
  readonly #command: Command;
  readonly #output: KeptOutput;
  #status: ReturnType<BackgroundTask['status']> = 'running';
  #exitCode: number | null = null;

  static async start(
    options: Omit<CommandOptions, 'onStdout' | 'onStderr'> & {
      description: string;
      /** What a person would type. */
      line: string;
      toolUseId: string;
      maxOutputChars: number;
      /** Where what it says is written down. */
      fileOf: (taskId: string) => string | undefined;
    },
  ): Promise<BashTask> {
    const id = `b${crypto.randomUUID().slice(0, 7)}`;
    const output = new KeptOutput(options.maxOutputChars);
    const file = TaskFile.create(options.fileOf(id));
    const hear = (text: string): void => {
      output.add(text);
      file?.add(text);
    };
    try {
      const command = await Command.start({ ...options, onStdout: hear, onStderr: hear });
      return new BashTask(id, command, output, file, options);
    } catch (error) {
      await file?.close();
      throw error;
    }
  }

  private constructor(
    id: string,
    command: Command,
    output: KeptOutput,
    file: TaskFile | undefined,
    { description, line, toolUseId }: { description: string; line: string; toolUseId: string },
  ) {
    this.id = id;
    this.file = file?.path;
    this.description = description;
    this.command = line;
    this.toolUseId = toolUseId;
    this.#command = command;
    this.#output = output;
    this.ended = command.ended.then(async ({ code }) => {
      await file?.close();
      if (this.#status === 'stopped') return;
      this.#exitCode = code;
      this.#status = code === 0 ? 'completed' : 'failed';
    });
  }

  status(): ReturnType<BackgroundTask['status']> {
    return this.#status;
  }

  output(): string {
    return this.#output.text();
  }

  exitCode(): number | null {
    return this.#exitCode;
  }

  async stop(): Promise<void> {
    if (this.#status === 'running') this.#status = 'stopped';
    await this.#command.kill();
  }
}
