import { randomUUID } from 'node:crypto';
import {
  type BegunRequest,
  type KeptAnswer,
  type KeptAnswers,
  MAX_KEPT_ANSWER_BYTES,
} from '../kept-answer.ts';
import { StoreLimitError } from '../store-errors.ts';
import type { Database } from './database.ts';
import type { Immediate } from './part.ts';

/** The status of a request that has begun and was not answered. */
const UNANSWERED = 0;

interface AnswerRow extends KeptAnswer {
  made: string;
  begun_at: number;
}

/** Kept answers in their table. */
export class SqliteAnswers implements Immediate<KeptAnswers> {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    this.#queries = prepareQueries(database);
  }

  begin(principal: string, key: string, fingerprint: string, lifetimeMs: number): BegunRequest {
    const row = this.#find(principal, key);
    if (row) {
      const { status, body, made, begun_at: begunAt } = row;
      const answer = status === UNANSWERED ? undefined : { status, body };
      return { fingerprint: row.fingerprint, made, begunAt, isFirst: false, answer };
    }
    const [made, begunAt] = [randomUUID(), Date.now()];
    this.#queries.removeOld.run([begunAt]);
    this.#queries.add.run([principal, key, fingerprint, UNANSWERED, '', begunAt + lifetimeMs, made, begunAt]);
    return { fingerprint, made, begunAt, isFirst: true, answer: undefined };
  }

  abandon(principal: string, key: string): void {
    this.#queries.abandon.run([principal, key, UNANSWERED]);
  }

  recall(principal: string, key: string): KeptAnswer | undefined {
    const row = this.#find(principal, key);
    if (!row || row.status === UNANSWERED) return undefined;
    return { fingerprint: row.fingerprint, status: row.status, body: row.body };
  }

  keep(principal: string, key: string, answer: KeptAnswer, lifetimeMs: number): KeptAnswer {
    const known = this.recall(principal, key);
    if (known) return known;
    const { fingerprint, status, body } = answer;
    if (body.length > MAX_KEPT_ANSWER_BYTES)
      throw new StoreLimitError(`An answer of ${body.length} bytes is too long`);
    const now = Date.now();
    this.#queries.removeOld.run([now]);
    this.#queries.add.run([principal, key, fingerprint, status, body, now + lifetimeMs, '', now]);
    return { fingerprint, status, body };
  }

  #find(principal: string, key: string): AnswerRow | undefined {
    return this.#queries.get.get([principal, key, Date.now()]);
  }
}

function prepareQueries(database: Database) {
  return {
    get: database.prepare<AnswerRow>(
      `SELECT fingerprint, status, body, made, begun_at FROM kept_answer
        WHERE principal = ? AND key = ? AND expires_at > ?`,
    ),
    removeOld: database.prepare('DELETE FROM kept_answer WHERE expires_at <= ?'),
    abandon: database.prepare('DELETE FROM kept_answer WHERE principal = ? AND key = ? AND status = ?'),
    add: database.prepare(
      `INSERT OR REPLACE INTO kept_answer (principal, key, fingerprint, status, body, expires_at, made, begun_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
  };
}
