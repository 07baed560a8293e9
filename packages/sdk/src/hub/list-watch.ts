import type { Page, PageRequest } from '@signalbox/protocol/hub';
import { everyPage } from './every-page.ts';

/** Hears of items that are new or change, and of those that are no more. */
export interface ListListener<Item> {
  onItem: (item: Item) => void;
  onRemoved?: ((id: string) => void) | undefined;
  /** Changes are told from now on, at first and after each break: a list that is read before this may miss one. */
  onWatched?: (() => void) | undefined;
}

/** Those who hear of changes of a whole list: all sessions, or all loops. */
export class ListWatch<Item extends { id: string }> {
  readonly #list: (query: PageRequest) => Promise<Page<Item>>;
  readonly #listeners = new Set<ListListener<Item>>();
  /** Those that the hub told of while its list is read. */
  #toldMeanwhile: Set<string> | undefined;
  #state: 'new' | 'watched' = 'new';

  constructor(list: (query: PageRequest) => Promise<Page<Item>>) {
    this.#list = list;
  }

  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: ListListener<Item>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  hear(item: Item): void {
    this.#toldMeanwhile?.add(item.id);
    this.#tell(item);
  }

  removed(id: string): void {
    this.#toldMeanwhile?.add(id);
    for (const { onRemoved } of this.#listeners) onRemoved?.(id);
  }

  /** The hub tells changes from now on, and no others: what a break hid is read from its list. */
  watched(): void {
    const hadBreak = this.#state === 'watched';
    this.#state = 'watched';
    for (const { onWatched } of this.#listeners) onWatched?.();
    if (!hadBreak || this.isIdle) return;
    // Another break, or the item's next change, makes up for a list that cannot be read.
    this.#tellAll().catch(() => {});
  }

  /** What the hub tells meanwhile is newer than its list. */
  async #tellAll(): Promise<void> {
    const told = new Set<string>();
    this.#toldMeanwhile = told;
    try {
      for await (const items of everyPage(this.#list)) {
        // After another break, another list is the newer one.
        if (this.#toldMeanwhile !== told) return;
        for (const item of items) if (!told.has(item.id)) this.#tell(item);
      }
    } finally {
      if (this.#toldMeanwhile === told) this.#toldMeanwhile = undefined;
    }
  }

  #tell(item: Item): void {
    for (const { onItem } of this.#listeners) onItem(item);
  }
}
