import { SessionNotFoundError, type StoredComment, StoreLimitError } from '@signalbox/hub/store';
import { LIMITS } from '@signalbox/protocol';
import { inOrder, type Tables } from './tables.ts';

/** Comments that were not sent yet. */
export class MemoryComments {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  add(session: string, comment: StoredComment): void {
    if (!this.#tables.sessions.has(session)) throw new SessionNotFoundError(session);
    if (this.list(session).length >= LIMITS.changeComments.most)
      throw new StoreLimitError('Too many comments');
    this.#tables.put(this.#tables.comments, comment.id, { session, comment });
  }

  list(session: string): StoredComment[] {
    return inOrder(this.#tables.comments).flatMap(({ value }) =>
      value.session === session && this.#tables.sessions.has(session) ? [value.comment] : [],
    );
  }

  remove(session: string, ids: readonly string[]): void {
    for (const id of ids)
      if (this.#tables.comments.get(id)?.value.session === session)
        this.#tables.remove(this.#tables.comments, id);
  }
}
