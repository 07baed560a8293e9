import { type KeptAnswer, type KeptAnswers, MAX_KEPT_ANSWER_BYTES } from '../kept-answer.ts';
import { StoreLimitError } from '../store-errors.ts';
import type { Database } from './database.ts';
import type { Immediate } from './part.ts';

/** Kept answers in their table. */
export class SqliteAnswers implements Immediate<KeptAnswers> {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    this.#queries = prepareQueries(database);
  }

  recall(principal: string, key: string): KeptAnswer | undefined {
    const row = this.#queries.get.get([principal, key, Date.now()]);
    return row && { fingerprint: row.fingerprint, status: row.status, body: row.body };
  }

  keep(principal: string, key: string, answer: KeptAnswer, lifetimeMs: number): KeptAnswer {
    const known = this.recall(principal, key);
    if (known) return known;
    const { fingerprint, status, body } = answer;
    if (body.length > MAX_KEPT_ANSWER_BYTES)
      throw new StoreLimitError(`An answer of ${body.length} bytes is too long`);
    const now = Date.now();
    this.#queries.removeOld.run([now]);
    this.#queries.add.run([principal, key, fingerprint, status, body, now + lifetimeMs]);
    return { fingerprint, status, body };
  }
}

function prepareQueries(database: Database) {
  return {
    get: database.prepare<KeptAnswer>(
      'SELECT fingerprint, status, body FROM kept_answer WHERE principal = ? AND key = ? AND expires_at > ?',
    ),
    removeOld: database.prepare('DELETE FROM kept_answer WHERE expires_at <= ?'),
    add: database.prepare('INSERT INTO kept_answer VALUES (?, ?, ?, ?, ?, ?)'),
  };
}
