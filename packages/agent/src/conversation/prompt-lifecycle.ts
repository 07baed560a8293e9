import type { Output } from '../base/host.ts';
import { type SessionState, stamp } from '../loop/session-core.ts';

/** Tells a host what becomes of the prompts that it gave a name to. */
export class PromptLifecycle {
  readonly #output: Pick<Output, 'write'>;
  readonly #state: Pick<SessionState, 'id'>;
  readonly #open = new Set<string>();

  constructor(output: Pick<Output, 'write'>, state: Pick<SessionState, 'id'>) {
    this.#output = output;
    this.#state = state;
  }

  /** The name that the host gave a prompt; undefined where the agent itself did. */
  nameOf({ uuid }: { readonly uuid?: string | null | undefined }): string | undefined {
    return typeof uuid === 'string' && this.#open.has(uuid) ? uuid : undefined;
  }

  async queued(uuid: string): Promise<void> {
    this.#open.add(uuid);
    await this.#tell(uuid, 'queued');
  }

  async started(uuid: string | undefined): Promise<void> {
    if (uuid !== undefined) await this.#tell(uuid, 'started');
  }

  async ended(uuid: string | undefined, how: 'completed' | 'cancelled'): Promise<void> {
    if (uuid !== undefined && this.#open.delete(uuid)) await this.#tell(uuid, how);
  }

  #tell(command_uuid: string, state: string): Promise<void> {
    return this.#output.write({ type: 'command_lifecycle', command_uuid, state, ...stamp(this.#state) });
  }
}
