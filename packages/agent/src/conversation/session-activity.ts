import type { PermissionAsker } from '../base/host.ts';

/** Is told what a session does, in the words of `session_state_changed`. */
export type ActivityTeller = (activity: 'running' | 'requires_action' | 'idle') => Promise<void>;

/** Tells whether a session works, waits for an answer of the host, or rests: some hosts take a turn for over only then. */
export class SessionActivity {
  readonly #tell: ActivityTeller;
  #questions = 0;

  constructor(tell: ActivityTeller) {
    this.#tell = tell;
  }

  async during<Result>(turn: () => Promise<Result>): Promise<Result> {
    await this.#tell('running');
    try {
      return await turn();
    } finally {
      await this.#tell('idle');
    }
  }

  /** The same asker, whose questions are told of. */
  watch(asker: PermissionAsker | undefined): PermissionAsker | undefined {
    return (
      asker && {
        ask: async (question, signal) => {
          this.#questions += 1;
          if (this.#questions === 1) await this.#tell('requires_action');
          try {
            return await asker.ask(question, signal);
          } finally {
            this.#questions -= 1;
            if (this.#questions === 0) await this.#tell('running');
          }
        },
      }
    );
  }
}
