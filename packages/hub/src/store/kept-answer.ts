/** The longest body that is kept. */
export const MAX_KEPT_ANSWER_BYTES = 1024 * 1024;

/** An answer to a REST request that carried an idempotency key. */
export interface KeptAnswer {
  /** What tells the request from another one under the same key. */
  fingerprint: string;
  status: number;
  body: string;
}

/** A request with an idempotency key that somebody has begun to work on. */
export interface BegunRequest {
  fingerprint: string;
  /** Names what the request makes, whoever carries it out. */
  made: string;
  begunAt: number;
  /** Whether nobody had begun it before. */
  isFirst: boolean;
  /** What it was answered with, if it was. */
  answer: Pick<KeptAnswer, 'status' | 'body'> | undefined;
}

/** Requests and their answers by principal and idempotency key, for a while. */
export interface KeptAnswers {
  /** Before anything is done: whoever comes later, also after a kill, gets what the first one began. */
  begin(principal: string, key: string, fingerprint: string, lifetimeMs: number): Promise<BegunRequest>;
  /** It was not done: the key may be used as if nothing had been. */
  abandon(principal: string, key: string): Promise<void>;
  recall(principal: string, key: string): Promise<KeptAnswer | undefined>;
  /** Gives what is kept from now on: the first answer, whoever comes later. */
  keep(principal: string, key: string, answer: KeptAnswer, lifetimeMs: number): Promise<KeptAnswer>;
}
