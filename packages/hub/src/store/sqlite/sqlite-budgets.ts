import { LIMITS } from '@signalbox/protocol';
import type { Budgets, StoredBudget } from '../budget.ts';
import { RecordNotFoundError, SessionNotFoundError, StoreLimitError } from '../store-errors.ts';
import type { Database } from './database.ts';
import type { Immediate } from './part.ts';
import { storedJson } from './stored-json.ts';

interface BudgetRow {
  id: string;
  facts: string;
}

/** Budgets in their table. */
export class SqliteBudgets implements Immediate<Budgets> {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    this.#queries = prepareQueries(database);
  }

  keep(budget: StoredBudget): StoredBudget {
    const { id, session } = budget;
    if (session !== null && !this.#queries.session.get([session])) throw new SessionNotFoundError(session);
    const { most } = LIMITS.budgets;
    const count = this.#queries.count.get([id])?.count ?? 0;
    if (count >= most) throw new StoreLimitError(`A hub has ${most} budgets`);
    this.#queries.keep.run([id, session, JSON.stringify(budget)]);
    return budget;
  }

  list(): StoredBudget[] {
    return this.#queries.list.all().flatMap((row) => {
      try {
        return [budgetOf(row)];
      } catch {
        return [];
      }
    });
  }

  remove(id: string): StoredBudget {
    const row = this.#queries.get.get([id]);
    if (!row) throw new RecordNotFoundError(`budget ${id}`);
    this.#queries.remove.run([id]);
    return budgetOf(row);
  }
}

function budgetOf({ id, facts }: BudgetRow): StoredBudget {
  return storedJson(facts, `budget ${id}`);
}

function prepareQueries(database: Database) {
  return {
    session: database.prepare('SELECT 1 FROM session WHERE id = ?'),
    count: database.prepare<{ count: number }>('SELECT count(*) AS count FROM budget WHERE id <> ?'),
    keep: database.prepare(
      `INSERT INTO budget (id, session, facts) VALUES (?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET facts = excluded.facts`,
    ),
    get: database.prepare<BudgetRow>('SELECT id, facts FROM budget WHERE id = ?'),
    list: database.prepare<BudgetRow>('SELECT id, facts FROM budget ORDER BY number'),
    remove: database.prepare('DELETE FROM budget WHERE id = ?'),
  };
}
