/** The longest body that is kept. */
export const MAX_KEPT_ANSWER_BYTES = 1024 * 1024;

/** An answer to a REST request that carried an idempotency key. */
export interface KeptAnswer {
  /** What tells the request from another one under the same key. */
  fingerprint: string;
  status: number;
  body: string;
}

/** Answers by principal and idempotency key, for a while. */
export interface KeptAnswers {
  recall(principal: string, key: string): Promise<KeptAnswer | undefined>;
  /** Gives what is kept from now on: the first answer, whoever comes later. */
  keep(principal: string, key: string, answer: KeptAnswer, lifetimeMs: number): Promise<KeptAnswer>;
}
