import { StoreArgumentError } from '@signalbox/hub/store';
import { MAX_PAGE_ITEMS, type SessionUpdate, type UpdatePage } from '@signalbox/protocol/hub';
import type { Tables } from './tables.ts';

/** Updates of all sessions, put in their order when somebody asks. */
export class MemoryUpdates {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  after(position: number, limit = MAX_PAGE_ITEMS): UpdatePage {
    if (!Number.isSafeInteger(position) || position < 0 || !Number.isSafeInteger(limit) || limit < 1)
      throw new StoreArgumentError(`There are no ${limit} updates after ${position}`);
    const newest = this.#tables.position;
    if (position > newest) return { state: 'reset', items: [], position: 0, isComplete: false };
    const later = this.#all().filter((update) => update.position > position);
    const items = later.toSorted((one, other) => one.position - other.position).slice(0, limit);
    const isComplete = items.length === later.length;
    return {
      state: 'updates',
      items,
      position: isComplete ? newest : (items.at(-1)?.position ?? 0),
      isComplete,
    };
  }

  #all(): SessionUpdate[] {
    const { sessions, removals } = this.#tables;
    return [
      ...[...removals].map(
        ([position, { value }]) => ({ kind: 'removed', position, session: value }) as const,
      ),
      ...[...sessions].flatMap(([session, { value }]) =>
        value.isImporting
          ? []
          : [
              {
                kind: 'updated',
                position: value.updated,
                session,
                last: value.trimmed + value.lines.length,
              } as const,
            ],
      ),
    ];
  }
}
