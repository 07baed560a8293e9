import type { ForgottenKind, Retention, StoreSize } from '../retention.ts';
import type { InSteps } from '../sql/part.ts';
import { forget } from '../sql/parts/forgotten.ts';
import { Statement, type Steps } from '../sql/statement.ts';
import type { PostgresRecord } from './postgres-record.ts';

const QUERIES = {
  // What was taken away is free only once its partition is dropped: what counts is what is left of the records.
  size: new Statement<StoreSize>(
    `SELECT pg_database_size(current_database()) AS "fileBytes",
      (SELECT coalesce(sum(bytes), 0) FROM session) AS "usedBytes"`,
  ),
};

/** Takes away what is old. */
export class PostgresRetention implements InSteps<Retention> {
  readonly #record: PostgresRecord;

  constructor(record: PostgresRecord) {
    this.#record = record;
  }

  olderThan(session: string, time: number): Steps<number> {
    return this.#record.olderThan(session, time);
  }

  trim(session: string, upTo: number): Steps<void> {
    return this.#record.trim(session, upTo);
  }

  forget(kind: ForgottenKind, time: number): Steps<number> {
    return forget(kind, time);
  }

  *size(): Steps<StoreSize> {
    return (yield* QUERIES.size.get()) ?? { fileBytes: 0, usedBytes: 0 };
  }
}
