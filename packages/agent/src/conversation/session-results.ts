import type { JsonObject } from '@signalbox/protocol';
import { Accounting } from '../loop/accounting.ts';
import { answersPrompt } from '../loop/prompt-names.ts';
import type { SessionCore } from '../loop/session-core.ts';
import type { resultMessage } from '../loop/turn-result.ts';

/** Adds to the result of each turn what only the session knows: its place among the others, and what came between. */
export class SessionResults {
  readonly #core: SessionCore;
  readonly #queuedPrompts: () => number;
  #index = 0;
  /** What was used when the last result was told, and the bill that it was on. */
  #told: { of: Accounting; before: Accounting };

  constructor(core: SessionCore, queuedPrompts: () => number) {
    this.#core = core;
    this.#queuedPrompts = queuedPrompts;
    this.#told = { of: core.accounting, before: core.accounting.copy() };
  }

  /** What is on the bill by now was told in an earlier run. */
  begin(): void {
    const { accounting } = this.#core;
    this.#told = { of: accounting, before: accounting.copy() };
  }

  next(
    result: ReturnType<typeof resultMessage>,
    prompt: { uuid: string | undefined; origin: JsonObject | undefined },
  ) {
    const { accounting, subAgentStats } = this.#core;
    // A cleared conversation has a new bill.
    const { of, before } = this.#told;
    const news = accounting.since(of === accounting ? before : new Accounting());
    this.begin();
    return {
      ...result,
      ...(prompt.origin ? { origin: prompt.origin } : {}),
      ...answersPrompt(prompt.uuid),
      queued_turn_count: this.#queuedPrompts(),
      result_index: this.#index++,
      model_usage_since_last_result: news.modelUsage,
      subagent_stats: subAgentStats.fields,
    };
  }
}
