import type { ChildExit } from '@signalbox/transport/stdio';
import type { ListenedAgent } from '../listen/listened-agent.ts';
import type { AgentProcess } from '../process/agent-process.ts';

/** An agent whose process is ours and whose lines come over a port: one that ends does so at both. */
export class RelayedAgent implements AgentProcess {
  readonly exited: Promise<ChildExit>;
  readonly #remote: AgentProcess;
  readonly #child: AgentProcess;
  #state: 'running' | 'closing' = 'running';

  constructor(remote: AgentProcess, agent: ListenedAgent, child: AgentProcess) {
    this.#remote = remote;
    this.#child = child;
    this.exited = this.#exit(agent);
  }

  get stderrTail(): string {
    return this.#child.stderrTail;
  }

  send(line: string | Uint8Array): Promise<void> {
    return this.#remote.send(line);
  }

  receive(): ReturnType<AgentProcess['receive']> {
    return this.#remote.receive();
  }

  endInput(): Promise<void> {
    return this.#remote.endInput();
  }

  async close(): Promise<void> {
    this.#state = 'closing';
    await this.#remote.close();
    await this.#child.close();
  }

  /** How its process ended; nobody minds how one ended that was closed. */
  async #exit(agent: ListenedAgent): Promise<ChildExit> {
    const died = this.#child.exited.then((exit) => {
      const wasClosed = this.#state === 'closing';
      agent.comesNoMore();
      return { exit, wasClosed };
    });
    const remote = await this.#remote.exited;
    const { exit, wasClosed } = await died;
    return wasClosed ? remote : exit;
  }
}
