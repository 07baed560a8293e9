import type { BackgroundTask, StoppedBy } from '../tasks/task-registry.ts';
import type { RunningAgent } from './sub-agents.ts';

/** A sub-agent that goes on while the conversation does. */
export class AgentTask implements BackgroundTask {
  readonly id: string;
  readonly kind = 'agent';
  readonly description: string;
  readonly toolUseId: string;
  readonly file: string | undefined;
  readonly ended: Promise<void>;
  readonly #controller: AbortController;
  #status: ReturnType<BackgroundTask['status']> = 'running';
  #output = '';

  constructor(
    { agentId, file, report }: RunningAgent,
    {
      description,
      toolUseId,
      controller,
    }: { description: string; toolUseId: string; controller: AbortController },
  ) {
    this.id = agentId;
    this.file = file;
    this.description = description;
    this.toolUseId = toolUseId;
    this.#controller = controller;
    this.ended = report.then(({ status, text }) => {
      this.#output = text;
      if (this.#status === 'running') this.#status = status;
    });
  }

  status(): ReturnType<BackgroundTask['status']> {
    return this.#status;
  }

  output(): string {
    return this.#output;
  }

  async stop(by: StoppedBy): Promise<void> {
    if (this.#status === 'running') this.#status = 'stopped';
    this.#controller.abort(by);
    await this.ended;
  }
}
