import { LIMITS } from '@signalbox/protocol';
import type { Budgets, StoredBudget } from '../../budget.ts';
import { RecordNotFoundError, SessionNotFoundError, StoreLimitError } from '../../store-errors.ts';
import type { InSteps } from '../part.ts';
import { Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';

interface BudgetRow {
  id: string;
  facts: string;
}

/** Budgets in their table. */
export class SqlBudgets implements InSteps<Budgets> {
  *keep(budget: StoredBudget): Steps<StoredBudget> {
    const { id, session } = budget;
    if (session !== null && !(yield* QUERIES.session.get([session]))) throw new SessionNotFoundError(session);
    const { most } = LIMITS.budgets;
    const count = (yield* QUERIES.count.get([id]))?.count ?? 0;
    if (count >= most) throw new StoreLimitError(`A hub has ${most} budgets`);
    yield* QUERIES.keep.run([id, session, JSON.stringify(budget)]);
    return budget;
  }

  *list(): Steps<StoredBudget[]> {
    return (yield* QUERIES.list.all()).flatMap((row) => {
      try {
        return [budgetOf(row)];
      } catch {
        return [];
      }
    });
  }

  *remove(id: string): Steps<StoredBudget> {
    const row = yield* QUERIES.get.get([id]);
    if (!row) throw new RecordNotFoundError(`budget ${id}`);
    yield* QUERIES.remove.run([id]);
    return budgetOf(row);
  }
}

function budgetOf({ id, facts }: BudgetRow): StoredBudget {
  return storedJson(facts, `budget ${id}`);
}

const QUERIES = queries();

function queries() {
  return {
    session: new Statement('SELECT 1 FROM session WHERE id = ?'),
    count: new Statement<{ count: number }>('SELECT count(*) AS count FROM budget WHERE id <> ?'),
    keep: new Statement(
      `INSERT INTO budget (id, session, facts) VALUES (?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET facts = excluded.facts`,
    ),
    get: new Statement<BudgetRow>('SELECT id, facts FROM budget WHERE id = ?'),
    list: new Statement<BudgetRow>('SELECT id, facts FROM budget ORDER BY number'),
    remove: new Statement('DELETE FROM budget WHERE id = ?'),
  };
}
