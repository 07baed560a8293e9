import type { Budget } from '@signalbox/protocol/hub';

/** A budget as it is kept. */
export type StoredBudget = Omit<Budget, 'spent' | 'state'>;

/** The limits of what agents may spend. One for a session goes with it. */
export interface Budgets {
  /** In the place of the one with the same id. Raises `STORE_SESSION_NOT_FOUND`, or `STORE_LIMIT` for one too many. */
  keep(budget: StoredBudget): Promise<StoredBudget>;
  /** All of them, oldest first; one that cannot be read is left out. */
  list(): Promise<StoredBudget[]>;
  /** Gives what it was. Raises `STORE_NOT_FOUND`. */
  remove(id: string): Promise<StoredBudget>;
}
