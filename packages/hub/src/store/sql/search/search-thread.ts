import { Worker } from 'node:worker_threads';
import { messageOf } from '@signalbox/protocol';
import type { RecordOutline, SearchQuery, UpdatePage } from '@signalbox/protocol/hub';
import type { FoundPage, Search } from '../../search.ts';
import {
  failureOf,
  StoreClosedError,
  StoreError,
  StoreFailedError,
  StoreUnsendableError,
  storeErrorOf,
} from '../../store-errors.ts';
import type { Call, Caller, Outcome } from '../call.ts';
import { givenBuffers } from '../given-buffers.ts';
import type { FromSearch, IndexQuestion, SearchOutcome, ToSearch } from './search-message.ts';

/** How long after the store was opened, or after a commit, the thread begins: both have other things to do. */
const SOON_MS = 1000;

/** What a {@link SearchThread} works with. */
export interface SearchThreadParts {
  program: URL;
  /** Where the index is: a file, or the address of a database. */
  data: string;
  /** Carries out calls of the store. */
  ask: Caller;
  onDamaged: (why: string) => void;
}

interface Wanted {
  resolve: (found: FoundPage | RecordOutline) => void;
  reject: (error: StoreError) => void;
}

/** The thread of an index. It is there while there is something to index or to find, and a while longer. */
export class SearchThread implements Search {
  readonly #parts: SearchThreadParts;
  readonly #wanted = new Map<number, Wanted>();
  #soon: NodeJS.Timeout;
  #isCommitted = false;
  #worker: Worker | undefined;
  /** Settles when the worker before is gone: the index belongs to one at a time. */
  #gone: Promise<unknown> = Promise.resolve();
  #last = 0;
  /** A worker failed: what is indexed by itself might make the next one fail too. */
  #isFailed = false;
  #isClosed = false;

  constructor(parts: SearchThreadParts) {
    this.#parts = parts;
    this.#soon = this.#inAWhile(() => this.#look());
  }

  /** Something was committed. */
  noteCommit(): void {
    if (this.#isClosed || this.#isFailed) return;
    if (this.#worker) return this.#tell({ kind: 'commit' });
    if (this.#isCommitted) return;
    this.#isCommitted = true;
    clearTimeout(this.#soon);
    this.#soon = this.#inAWhile(async () => {
      this.#isCommitted = false;
      await this.#start();
      this.#tell({ kind: 'commit' });
    });
  }

  async find(query: SearchQuery): Promise<FoundPage> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Searcher.find` ran on the other side
    return (await this.#askIndex({ kind: 'find', query })) as FoundPage;
  }

  async outline(session: string): Promise<RecordOutline> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Searcher.outline` did
    return (await this.#askIndex({ kind: 'outline', session })) as RecordOutline;
  }

  /** Ends what is indexed and looked for; may be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#soon);
    this.#end();
    await this.#gone;
  }

  async #askIndex(question: IndexQuestion): Promise<FoundPage | RecordOutline> {
    await this.#start();
    if (!this.#worker) throw new StoreClosedError();
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#wanted.set(id, { resolve, reject });
      this.#tell({ id, ...question });
    });
  }

  #inAWhile(work: () => Promise<void>): NodeJS.Timeout {
    return setTimeout(() => void work(), SOON_MS).unref();
  }

  /** Index what was left, if anything was ever said: an idle hub has no third thread. */
  async #look(): Promise<void> {
    const outcome = await this.#outcomeOf({ part: 'updates', method: 'after', values: [0, 1] });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part of the updates answered on the other side
    if (outcome.state === 'done' && (outcome.value as UpdatePage).items.length > 0) await this.#start();
  }

  async #start(): Promise<void> {
    if (!this.#worker) await this.#gone;
    if (this.#worker || this.#isClosed) return;
    const { program, data } = this.#parts;
    const worker = new Worker(program, { workerData: data });
    this.#worker = worker;
    worker.on('message', (message: FromSearch) => void this.#hear(worker, message));
    worker.on('error', (error) => {
      this.#isFailed = true;
      this.#rejectAll(new StoreFailedError(messageOf(error)));
    });
    this.#gone = new Promise<void>((resolve) =>
      worker.once('exit', () => {
        if (this.#worker === worker) this.#worker = undefined;
        this.#rejectAll(new StoreClosedError());
        resolve();
      }),
    );
  }

  async #hear(worker: Worker, message: FromSearch): Promise<void> {
    switch (message.kind) {
      case 'ask': {
        const outcome = await this.#outcomeOf(message.call);
        // Also to one that is told to close: it finishes what it is at.
        return answer(worker, outcome);
      }
      case 'found':
        return this.#noteFound(message.id, message.outcome);
      case 'damaged':
        return this.#parts.onDamaged(message.why);
      case 'idle':
        if (this.#wanted.size === 0) this.#end();
    }
  }

  async #outcomeOf(call: Call): Promise<Outcome> {
    try {
      return { state: 'done', value: await this.#parts.ask(call) };
    } catch (error) {
      const known = error instanceof StoreError ? error : new StoreFailedError(messageOf(error));
      return { state: 'failed', failure: failureOf(known) };
    }
  }

  #noteFound(id: number, outcome: SearchOutcome): void {
    const wanted = this.#wanted.get(id);
    this.#wanted.delete(id);
    if (outcome.state === 'done') wanted?.resolve(outcome.value);
    else wanted?.reject(storeErrorOf(outcome.failure));
  }

  #rejectAll(error: StoreError): void {
    for (const { reject } of this.#wanted.values()) reject(error);
    this.#wanted.clear();
  }

  #tell(message: ToSearch): void {
    if (this.#worker) tell(this.#worker, message);
  }

  #end(): void {
    this.#tell({ kind: 'close' });
    this.#worker = undefined;
  }
}

/** Whoever asked must hear of it, or would wait for ever: of what cannot be sent, that. */
function answer(worker: Worker, outcome: Outcome): void {
  try {
    tell(worker, { kind: 'answer', outcome }, givenBuffers([outcome]).windows);
  } catch (error) {
    const failure = failureOf(new StoreUnsendableError(messageOf(error)));
    tell(worker, { kind: 'answer', outcome: { state: 'failed', failure } });
  }
}

function tell(worker: Worker, message: ToSearch, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(message, transfer);
}
