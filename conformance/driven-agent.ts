import type { ChildTransport } from '@signalbox/transport';
import { Conversation, type PermissionAnswer } from './conversation.ts';

/** A conversation with an agent that is a child process of ours. */
export class DrivenAgent extends Conversation {
  readonly #transport: ChildTransport;

  constructor(transport: ChildTransport, onPermission?: PermissionAnswer) {
    super(transport, onPermission);
    this.#transport = transport;
  }

  get pid(): number {
    return this.#transport.pid;
  }

  /** A line that need not be a message. */
  raw(line: string): Promise<void> {
    return this.#transport.send(line);
  }

  /** End its input, and wait until it is gone. */
  async finish(): Promise<{ code: number | null; stderr: string }> {
    await this.#transport.endInput();
    return this.gone();
  }

  /** Wait until it is gone by itself. */
  async gone(): Promise<{ code: number | null; stderr: string }> {
    await this.ended;
    const { code } = await this.#transport.exited;
    return { code, stderr: this.#transport.stderrTail };
  }
}
