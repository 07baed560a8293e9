import type { RecordOutline, SearchPage, SearchQuery, Session } from '@signalbox/protocol/hub';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { SessionNotFoundError } from '../store/store-errors.ts';
import { permit } from './permit.ts';

/** Finds what was said, for those who may watch it. */
export class SearchService {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Raises `STORE_SESSION_NOT_FOUND`. */
  async outline(by: Device, session: string): Promise<RecordOutline> {
    permit(by, 'watch', session);
    if (!(await this.#store.sessions.get(session))) throw new SessionNotFoundError(session);
    return this.#store.search.outline(session);
  }

  /** One who is held to a session finds only there. */
  async find(by: Device, query: SearchQuery): Promise<SearchPage> {
    const session = query.session ?? by.session ?? undefined;
    permit(by, 'watch', session);
    const { search, sessions } = this.#store;
    const { items, ...page } = await search.find({ ...query, ...(session === undefined ? {} : { session }) });
    const ids = [...new Set(items.map((hit) => hit.session))];
    const found = new Map<string, Session | undefined>();
    for (const known of await Promise.all(ids.map((id) => sessions.get(id))))
      if (known) found.set(known.id, known);
    // Of a session that was removed meanwhile nothing is told, though the index has it a moment longer.
    const told = items.flatMap((hit) => {
      const known = found.get(hit.session);
      return known ? [{ ...hit, title: known.title, folder: known.folder }] : [];
    });
    return { items: told, ...page };
  }
}
