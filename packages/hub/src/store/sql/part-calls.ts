import { failureOf, StoreError, StoreFailedError } from '../store-errors.ts';
import type { Call, Outcome } from './call.ts';
import type { SqlCommits } from './parts/commits.ts';
import { isSteps, type Steps } from './statement.ts';

/** Carries out calls of the parts of a store, within the transaction of whoever asks. */
export class PartCalls {
  readonly #commits: SqlCommits;
  readonly #parts: Readonly<Record<string, object>>;

  constructor(commits: SqlCommits, parts: Readonly<Record<string, object>>) {
    this.#commits = commits;
    this.#parts = { ...parts, commits };
  }

  /** What a part refuses, it refuses before it has written anything; other errors fail the transaction. */
  *outcomeOf(call: Call): Steps<Outcome> {
    try {
      return { state: 'done', value: yield* this.#valueOf(call) };
    } catch (error) {
      const isRefusal = error instanceof StoreError && !(call.part === 'commits' && this.#commits.isHalfDone);
      if (isRefusal) return { state: 'failed', failure: failureOf(error) };
      throw error;
    }
  }

  *#valueOf({ part, method, values }: Call): Steps<unknown> {
    const target = this.#parts[part];
    const work: unknown = target && Reflect.get(target, method);
    if (typeof work !== 'function') throw new StoreFailedError(`there is no ${part}.${method}`);
    const value: unknown = Reflect.apply(work, target, values);
    return isSteps(value) ? yield* value : value;
  }
}
