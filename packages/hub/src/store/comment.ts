import type { ChangeComment } from '@signalbox/protocol/hub';

/** A comment on changed lines as it is kept. */
export type StoredComment = Omit<ChangeComment, 'fit'>;

/** Comments that were not sent yet, by their session; they go with it. */
export interface Comments {
  /** Raises `STORE_SESSION_NOT_FOUND`, or `STORE_LIMIT` when the session has as many as it may. */
  add(session: string, comment: StoredComment): Promise<void>;
  /** In the order in which they were made. */
  list(session: string): Promise<StoredComment[]>;
  /** Those that are not there any more are no failure. */
  remove(session: string, ids: readonly string[]): Promise<void>;
}
