import { Command, type CommandOptions } from '../process/command.ts';
import { KeptOutput } from '../process/kept-output.ts';
import type { BackgroundTask } from './task-registry.ts';

/** A command that goes on while the conversation does. */
export class BashTask implements BackgroundTask {
  readonly id = `b${crypto.randomUUID().slice(0, 7)}`;
  readonly kind = 'bash';
  readonly description: string;
  readonly toolUseId: string;
  readonly ended: Promise<void>;
  readonly #command: Command;
  readonly #output: KeptOutput;
  #status: ReturnType<BackgroundTask['status']> = 'running';
  #exitCode: number | null = null;

  static async start(
    options: Omit<CommandOptions, 'onStdout' | 'onStderr'> & {
      description: string;
      toolUseId: string;
      maxOutputChars: number;
    },
  ): Promise<BashTask> {
    const output = new KeptOutput(options.maxOutputChars);
    const hear = (text: string): void => output.add(text);
    const command = await Command.start({ ...options, onStdout: hear, onStderr: hear });
    return new BashTask(command, output, options);
  }

  private constructor(
    command: Command,
    output: KeptOutput,
    { description, toolUseId }: { description: string; toolUseId: string },
  ) {
    this.description = description;
    this.toolUseId = toolUseId;
    this.#command = command;
    this.#output = output;
    this.ended = command.ended.then(({ code }) => {
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
