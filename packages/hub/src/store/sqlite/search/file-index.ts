import type { OutlinePart, SearchQuery } from '@signalbox/protocol/hub';
import type { FoundPage } from '../../search.ts';
import type { Caller } from '../../sql/call.ts';
import type { SaidIndex } from '../../sql/search/searcher.ts';
import { Indexer } from './indexer.ts';
import { SearchIndex } from './search-index.ts';

/** An index in a file of its own, or in memory (`:memory:`), made from what the store answers. */
export class FileIndex implements SaidIndex {
  readonly #index: SearchIndex;
  readonly #ask: Caller;

  constructor(file: string, ask: Caller, onDamaged: (why: string) => void = () => {}) {
    this.#index = new SearchIndex(file, onDamaged);
    this.#ask = ask;
  }

  catchUp(pause: () => Promise<void>): Promise<void> {
    return new Indexer(this.#index, this.#ask, pause).catchUp();
  }

  async find(query: SearchQuery): Promise<Omit<FoundPage, 'isComplete'>> {
    return this.#index.find(query);
  }

  async outline(session: string): Promise<OutlinePart[]> {
    return this.#index.outline(session);
  }

  mend(error: unknown): boolean {
    return this.#index.mend(error);
  }

  async close(): Promise<void> {
    this.#index.close();
  }
}
