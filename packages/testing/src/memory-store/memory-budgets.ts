import { RecordNotFoundError, type StoredBudget, StoreLimitError } from '@signalbox/hub/store';
import { LIMITS } from '@signalbox/protocol';
import { inOrder, type Tables } from './tables.ts';

/** The limits of what agents may spend. */
export class MemoryBudgets {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  keep(budget: StoredBudget): StoredBudget {
    const { budgets } = this.#tables;
    if (budget.session !== null) this.#tables.session(budget.session);
    if (!budgets.has(budget.id) && budgets.size >= LIMITS.budgets.most)
      throw new StoreLimitError('Too many budgets');
    return this.#tables.put(budgets, budget.id, budget);
  }

  list(): StoredBudget[] {
    return inOrder(this.#tables.budgets).map(({ value }) => value);
  }

  remove(id: string): StoredBudget {
    const budget = this.#tables.budgets.get(id)?.value;
    if (!budget) throw new RecordNotFoundError(`budget ${id}`);
    this.#tables.remove(this.#tables.budgets, id);
    return budget;
  }
}
