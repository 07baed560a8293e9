import { randomUUID } from 'node:crypto';
import { LIMITS } from '@signalbox/protocol';
import {
  type BegunRequest,
  type KeptAnswer,
  type KeptAnswers,
  MAX_KEPT_ANSWER_BYTES,
} from '../../kept-answer.ts';
import { StoreLimitError } from '../../store-errors.ts';
import type { InSteps } from '../part.ts';
import { Statement, type Steps } from '../statement.ts';

/** The status of a request that has begun and was not answered. */
const UNANSWERED = 0;

interface AnswerRow extends KeptAnswer {
  made: string;
  begun_at: number;
}

/** What is kept for one principal. */
interface Usage {
  keys: number;
  bytes: number;
}

/** Kept answers in their table. */
export class SqlAnswers implements InSteps<KeptAnswers> {
  readonly #most: Usage;
  /** Counted when it is first asked for. What a commit that failed has added stays in it until something expires. */
  readonly #usage = new Map<string, Usage>();

  constructor(most: Usage = { keys: LIMITS.keptKeys.most, bytes: LIMITS.keptAnswerBytes.most }) {
    this.#most = most;
  }

  *begin(principal: string, key: string, fingerprint: string, lifetimeMs: number): Steps<BegunRequest> {
    const row = yield* this.#find(principal, key);
    if (row) {
      const { status, body, made, begun_at: begunAt } = row;
      const answer = status === UNANSWERED ? undefined : { status, body };
      return { fingerprint: row.fingerprint, made, begunAt, isFirst: false, answer };
    }
    const [made, begunAt] = [randomUUID(), Date.now()];
    yield* this.#removeOld(begunAt);
    const usage = yield* this.#usageOf(principal);
    if (usage.keys >= this.#most.keys)
      throw new StoreLimitError(`A token has up to ${this.#most.keys} Idempotency-Keys a day`);
    usage.keys += 1;
    yield* QUERIES.add.run([
      principal,
      key,
      fingerprint,
      UNANSWERED,
      '',
      begunAt + lifetimeMs,
      made,
      begunAt,
    ]);
    return { fingerprint, made, begunAt, isFirst: true, answer: undefined };
  }

  *abandon(principal: string, key: string): Steps<void> {
    if ((yield* QUERIES.abandon.run([principal, key, UNANSWERED])) > 0)
      (yield* this.#usageOf(principal)).keys -= 1;
  }

  *recall(principal: string, key: string): Steps<KeptAnswer | undefined> {
    const row = yield* this.#find(principal, key);
    if (!row || row.status === UNANSWERED) return undefined;
    return { fingerprint: row.fingerprint, status: row.status, body: row.body };
  }

  *keep(principal: string, key: string, answer: KeptAnswer, lifetimeMs: number): Steps<KeptAnswer> {
    const known = yield* this.recall(principal, key);
    if (known) return known;
    const { fingerprint, status, body } = answer;
    if (body.length > MAX_KEPT_ANSWER_BYTES)
      throw new StoreLimitError(`An answer of ${body.length} bytes is too long`);
    const now = Date.now();
    yield* this.#removeOld(now);
    const usage = yield* this.#usageOf(principal);
    if (usage.bytes + body.length > this.#most.bytes)
      throw new StoreLimitError(`A token has ${this.#most.bytes} bytes of kept answers`);
    usage.bytes += body.length;
    yield* QUERIES.add.run([principal, key, fingerprint, status, body, now + lifetimeMs, '', now]);
    return { fingerprint, status, body };
  }

  *#usageOf(principal: string): Steps<Usage> {
    const known = this.#usage.get(principal);
    if (known) return known;
    const usage = (yield* QUERIES.usage.get([principal])) ?? { keys: 0, bytes: 0 };
    this.#usage.set(principal, usage);
    return usage;
  }

  *#removeOld(now: number): Steps<void> {
    for (const { principal } of yield* QUERIES.removeOld.all([now])) this.#usage.delete(principal);
  }

  *#find(principal: string, key: string): Steps<AnswerRow | undefined> {
    return yield* QUERIES.get.get([principal, key, Date.now()]);
  }
}

const QUERIES = queries();

function queries() {
  return {
    get: new Statement<AnswerRow>(
      `SELECT fingerprint, status, body, made, begun_at FROM kept_answer
        WHERE principal = ? AND key = ? AND expires_at > ?`,
    ),
    removeOld: new Statement<{ principal: string }>(
      'DELETE FROM kept_answer WHERE expires_at <= ? RETURNING principal',
    ),
    usage: new Statement<Usage>(
      'SELECT count(*) AS keys, coalesce(sum(length(body)), 0) AS bytes FROM kept_answer WHERE principal = ?',
    ),
    abandon: new Statement('DELETE FROM kept_answer WHERE principal = ? AND key = ? AND status = ?'),
    add: new Statement(
      `INSERT INTO kept_answer (principal, key, fingerprint, status, body, expires_at, made, begun_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (principal, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
          body = excluded.body, expires_at = excluded.expires_at, made = excluded.made, begun_at = excluded.begun_at`,
    ),
  };
}
