import { LIMITS } from '@signalbox/protocol';
import type { Rules, StoredRule } from '../../rule.ts';
import { RecordNotFoundError, SessionNotFoundError, StoreLimitError } from '../../store-errors.ts';
import type { InSteps } from '../part.ts';
import { Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';

interface RuleRow {
  id: string;
  facts: string;
}

/** Rules in their table. */
export class SqlRules implements InSteps<Rules> {
  *create(rule: StoredRule): Steps<StoredRule> {
    const { id, session } = rule;
    if (session !== null && !(yield* QUERIES.session.get([session]))) throw new SessionNotFoundError(session);
    const { most } = LIMITS.hubRules;
    if (((yield* QUERIES.count.get())?.count ?? 0) >= most)
      throw new StoreLimitError(`A hub has ${most} rules`);
    yield* QUERIES.add.run([id, session, JSON.stringify(rule)]);
    return rule;
  }

  *list(): Steps<StoredRule[]> {
    return (yield* QUERIES.list.all()).flatMap((row) => {
      try {
        return [ruleOf(row)];
      } catch {
        return [];
      }
    });
  }

  *remove(id: string): Steps<StoredRule> {
    const row = yield* QUERIES.get.get([id]);
    if (!row) throw new RecordNotFoundError(`rule ${id}`);
    yield* QUERIES.remove.run([id]);
    return ruleOf(row);
  }
}

function ruleOf({ id, facts }: RuleRow): StoredRule {
  return storedJson(facts, `rule ${id}`);
}

const QUERIES = queries();

function queries() {
  return {
    session: new Statement('SELECT 1 FROM session WHERE id = ?'),
    count: new Statement<{ count: number }>('SELECT count(*) AS count FROM rule'),
    add: new Statement('INSERT INTO rule (id, session, facts) VALUES (?, ?, ?)'),
    get: new Statement<RuleRow>('SELECT id, facts FROM rule WHERE id = ?'),
    list: new Statement<RuleRow>('SELECT id, facts FROM rule ORDER BY number'),
    remove: new Statement('DELETE FROM rule WHERE id = ?'),
  };
}
