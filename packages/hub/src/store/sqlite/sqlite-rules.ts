import { LIMITS } from '@signalbox/protocol';
import type { Rules, StoredRule } from '../rule.ts';
import { RecordNotFoundError, SessionNotFoundError, StoreLimitError } from '../store-errors.ts';
import type { Database } from './database.ts';
import type { Immediate } from './part.ts';
import { storedJson } from './stored-json.ts';

interface RuleRow {
  id: string;
  facts: string;
}

/** Rules in their table. */
export class SqliteRules implements Immediate<Rules> {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    this.#queries = prepareQueries(database);
  }

  create(rule: StoredRule): StoredRule {
    const { id, session } = rule;
    if (session !== null && !this.#queries.session.get([session])) throw new SessionNotFoundError(session);
    const { most } = LIMITS.hubRules;
    if ((this.#queries.count.get()?.count ?? 0) >= most) throw new StoreLimitError(`A hub has ${most} rules`);
    this.#queries.add.run([id, session, JSON.stringify(rule)]);
    return rule;
  }

  list(): StoredRule[] {
    return this.#queries.list.all().flatMap((row) => {
      try {
        return [ruleOf(row)];
      } catch {
        return [];
      }
    });
  }

  remove(id: string): StoredRule {
    const row = this.#queries.get.get([id]);
    if (!row) throw new RecordNotFoundError(`rule ${id}`);
    this.#queries.remove.run([id]);
    return ruleOf(row);
  }
}

function ruleOf({ id, facts }: RuleRow): StoredRule {
  return storedJson(facts, `rule ${id}`);
}

function prepareQueries(database: Database) {
  return {
    session: database.prepare('SELECT 1 FROM session WHERE id = ?'),
    count: database.prepare<{ count: number }>('SELECT count(*) AS count FROM rule'),
    add: database.prepare('INSERT INTO rule (id, session, facts) VALUES (?, ?, ?)'),
    get: database.prepare<RuleRow>('SELECT id, facts FROM rule WHERE id = ?'),
    list: database.prepare<RuleRow>('SELECT id, facts FROM rule ORDER BY number'),
    remove: database.prepare('DELETE FROM rule WHERE id = ?'),
  };
}
