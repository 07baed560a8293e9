import type { StoppedBy } from '../tasks/task-registry.ts';

/** How many sub-agents a session has started, and what became of them. */
export class SubAgentStats {
  readonly #requested = { background: 0, foreground: 0, unset: 0 };
  readonly #killed = { parent: 0, user: 0, system: 0 };
  readonly #byType: Record<string, number> = {};
  #spawned = 0;
  #inBackground = 0;
  #completed = 0;
  #failed = 0;
  #noRoom = 0;

  /** `asked` is what the model said about the background, if anything. */
  starts(type: string, { asked, isBackground }: { asked: boolean | undefined; isBackground: boolean }): void {
    this.#requested[asked === undefined ? 'unset' : asked ? 'background' : 'foreground'] += 1;
    this.#byType[type] = (this.#byType[type] ?? 0) + 1;
    this.#spawned += 1;
    if (isBackground) this.#inBackground += 1;
  }

  /** One was not started because too many run. */
  hasNoRoom(): void {
    this.#noRoom += 1;
  }

  ends(status: 'completed' | 'failed' | 'stopped', by: StoppedBy): void {
    if (status === 'completed') this.#completed += 1;
    else if (status === 'failed') this.#failed += 1;
    else this.#killed[by] += 1;
  }

  /** Sub-agents start none of their own, and a budget ends the turn: of these there are never any. */
  get fields() {
    return {
      spawned: this.#spawned,
      requested: { ...this.#requested },
      started_in_background: this.#inBackground,
      max_depth: Math.min(this.#spawned, 1),
      spawned_by_subagents: 0,
      completed: this.#completed,
      failed: this.#failed,
      killed: { ...this.#killed },
      refused: { depth_limit: 0, concurrency_limit: this.#noRoom, budget: 0 },
      by_type: { ...this.#byType },
    };
  }
}
