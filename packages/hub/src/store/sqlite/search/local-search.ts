import type { RecordOutline, SearchQuery } from '@signalbox/protocol/hub';
import type { FoundPage, Search } from '../../search.ts';
import type { Caller } from '../../sql/call.ts';
import { Searcher } from '../../sql/search/searcher.ts';
import { StoreClosedError } from '../../store-errors.ts';
import { FileIndex } from './file-index.ts';

/** An index in memory, on this thread: made when somebody looks for something, and forgotten with its store. */
export class LocalSearch implements Search {
  readonly #ask: Caller;
  #searcher: Searcher | undefined;
  #isClosed = false;

  constructor(ask: Caller) {
    this.#ask = ask;
  }

  async find(query: SearchQuery): Promise<FoundPage> {
    return this.#open().find(query);
  }

  async outline(session: string): Promise<RecordOutline> {
    return this.#open().outline(session);
  }

  /** May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const searcher = this.#searcher;
    this.#searcher = undefined;
    await searcher?.close();
  }

  #open(): Searcher {
    if (this.#isClosed) throw new StoreClosedError();
    this.#searcher ??= new Searcher({ index: new FileIndex(':memory:', this.#ask) });
    return this.#searcher;
  }
}
