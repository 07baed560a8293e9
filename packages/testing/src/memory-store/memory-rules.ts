import { RecordNotFoundError, type StoredRule, StoreLimitError } from '@signalbox/hub/store';
import { LIMITS } from '@signalbox/protocol';
import { inOrder, type Tables } from './tables.ts';

/** The rules that decide before people are asked. */
export class MemoryRules {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  create(rule: StoredRule): StoredRule {
    if (rule.session !== null) this.#tables.session(rule.session);
    if (this.#tables.rules.size >= LIMITS.hubRules.most) throw new StoreLimitError('Too many rules');
    return this.#tables.put(this.#tables.rules, rule.id, rule);
  }

  list(): StoredRule[] {
    return inOrder(this.#tables.rules).map(({ value }) => value);
  }

  remove(id: string): StoredRule {
    const rule = this.#tables.rules.get(id)?.value;
    if (!rule) throw new RecordNotFoundError(`rule ${id}`);
    this.#tables.remove(this.#tables.rules, id);
    return rule;
  }
}
