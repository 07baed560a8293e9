import type { Worker } from 'node:worker_threads';
import { LIMITS, messageOf } from '@signalbox/protocol';
import { LONG_MESSAGE_BYTES } from '../../base/free-memory.ts';
import {
  StoreBusyError,
  StoreClosedError,
  type StoreError,
  StoreFailedError,
  StoreUncertainError,
  StoreUnsendableError,
  storeErrorOf,
} from '../store-errors.ts';
import type { Call, FromThread, OpenedDatabase, Outcome, ToThread } from './call.ts';

/** What goes into one commit, so that no caller waits for too much of others. */
const MAX_COMMIT_BYTES = 8 * 1024 * 1024;

/** What a call counts for beside the lines that it brings. */
const CALL_BYTES = 512;

interface QueuedCall {
  call: Call;
  bytes: number;
  transfer: readonly ArrayBuffer[];
  resolve: (value: unknown) => void;
  reject: (error: StoreError) => void;
  /** It, or one that came with it, could not be told to the thread. */
  isSuspect: boolean;
}

/**
 * `committing` holds what was given to the thread; all that is called for meanwhile waits for the next commit. In `doubt` nobody knows
 * what became of that, and nothing else is taken until it is found out: what follows from it would be missing in memory.
 */
type State =
  | { name: 'opening'; opened: (database: OpenedDatabase) => void; failed: (error: StoreError) => void }
  | { name: 'idle' }
  | { name: 'planned' }
  | { name: 'committing'; calls: readonly QueuedCall[]; doubt?: StoreError }
  | { name: 'ended'; error: StoreError };

/** The thread that a database lives on. Calls that come while it commits share the next commit. */
export class StoreThread {
  /** Settles once the database is open. */
  readonly opened: Promise<OpenedDatabase>;
  /** Settles when it has ended by itself. */
  readonly lost: Promise<StoreError>;
  readonly #worker: Worker;
  readonly #exited: Promise<unknown>;
  #state: State = { name: 'idle' };
  #queue: QueuedCall[] = [];
  #queuedBytes = 0;
  #isClosing = false;
  #onLost: (error: StoreError) => void = () => {};
  #onCommit: (position: number) => void = () => {};
  #onDoubt: () => void = () => {};

  constructor(worker: Worker) {
    this.#worker = worker;
    this.opened = new Promise((opened, failed) => {
      this.#state = { name: 'opening', opened, failed };
    });
    this.#exited = new Promise((resolve) => worker.once('exit', resolve));
    this.lost = new Promise((resolve) => {
      this.#onLost = resolve;
    });
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.on('messageerror', (error) => this.#noteUnread(error));
    worker.on('error', (error) => this.#end(new StoreFailedError(messageOf(error))));
    worker.on('exit', () =>
      this.#end(this.#isClosing ? new StoreClosedError() : new StoreFailedError('its thread ended')),
    );
  }

  /** Settles when the call is durable. `transfer` is given away. */
  call(call: Call, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.#isClosing) return Promise.reject(new StoreClosedError());
    if (this.#state.name === 'ended') return Promise.reject(this.#state.error);
    if (this.#state.name === 'committing' && this.#state.doubt) return Promise.reject(this.#state.doubt);
    const bytes = transfer.reduce((sum, { byteLength }) => sum + byteLength, CALL_BYTES);
    if (this.#queuedBytes + bytes > LIMITS.storeQueueBytes.most && this.#queue.length > 0) {
      return Promise.reject(new StoreBusyError(String(this.#queuedBytes)));
    }
    this.#queuedBytes += bytes;
    return new Promise((resolve, reject) => {
      this.#queue.push({ call, bytes, transfer, resolve, reject, isSuspect: false });
      this.#plan();
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const { name } = this.#state;
    // One that has lost its database still runs, and in doubt it would never get to its end.
    if (name === 'idle' || name === 'ended' || (name === 'committing' && this.#state.doubt))
      this.#tell('close');
    await this.#exited;
  }

  /** One commit for all that is called for in the same moment. */
  #plan(): void {
    if (this.#state.name !== 'idle') return;
    this.#state = { name: 'planned' };
    queueMicrotask(() => {
      if (this.#state.name === 'planned') this.#commit();
    });
  }

  /** Until something is on its way to the thread, or nothing is left. */
  #commit(): void {
    while (this.#queue.length > 0) {
      const calls = this.#takeNext();
      this.#state = { name: 'committing', calls };
      try {
        const isLong = calls.some(({ bytes }) => bytes > LONG_MESSAGE_BYTES);
        return this.#tell(
          { calls: calls.map(({ call }) => call), isLong },
          calls.flatMap(({ transfer }) => transfer),
        );
      } catch (error) {
        this.#state = { name: 'idle' };
        this.#sift(calls, error);
      }
    }
    if (this.#isClosing) this.#tell('close');
  }

  #takeNext(): QueuedCall[] {
    let bytes = 0;
    const end = this.#queue.findIndex((queued, index) => {
      bytes += queued.bytes;
      return bytes > MAX_COMMIT_BYTES || (index > 0 && (queued.isSuspect || this.#queue[0]?.isSuspect));
    });
    const calls = this.#queue.splice(0, end === -1 ? this.#queue.length : Math.max(1, end));
    for (const queued of calls) this.#queuedBytes -= queued.bytes;
    return calls;
  }

  /** What could not be told is tried call by call, so that only the one that is at fault fails. */
  #sift(calls: readonly QueuedCall[], error: unknown): void {
    const [only] = calls;
    if (calls.length === 1) return only?.reject(new StoreUnsendableError(messageOf(error)));
    for (const queued of calls) {
      queued.isSuspect = true;
      this.#queuedBytes += queued.bytes;
    }
    this.#queue.unshift(...calls);
  }

  /** The thread has said what became of the calls, and it cannot be read here. */
  #noteUnread(error: unknown): void {
    if (this.#state.name !== 'committing') return;
    const { calls } = this.#state;
    const failure = new StoreUnsendableError(messageOf(error));
    this.#noteCommit(calls.map(() => ({ state: 'failed', failure })));
  }

  #hear(message: FromThread): void {
    if (message.state === 'failed') this.#end(storeErrorOf(message.failure), message.isUncertain);
    else if (message.state === 'open') this.#noteOpen(message);
    else if (message.state === 'doubt') this.#noteDoubt(storeErrorOf(message.failure));
    else {
      this.#noteCommit(message.outcomes);
      if (message.outcomes !== 'unread') this.#onCommit(message.position);
    }
  }

  /** Call this with the position of the last update, after each commit. */
  onCommit(listener: (position: number) => void): void {
    this.#onCommit = listener;
  }

  /** Call this when nobody knows for now what became of the calls that are on their way. */
  onDoubt(listener: () => void): void {
    this.#onDoubt = listener;
  }

  #noteDoubt(error: StoreError): void {
    if (this.#state.name !== 'committing') return;
    this.#state = { ...this.#state, doubt: error };
    const waiting = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    for (const { reject } of waiting) reject(error);
    if (this.#isClosing) this.#tell('close');
    this.#onDoubt();
  }

  #noteOpen(database: OpenedDatabase): void {
    if (this.#state.name !== 'opening') return;
    const { opened } = this.#state;
    this.#state = { name: 'idle' };
    opened(database);
  }

  #noteCommit(outcomes: readonly Outcome[] | 'unread'): void {
    if (this.#state.name !== 'committing') return;
    const { calls } = this.#state;
    this.#state = { name: 'idle' };
    if (outcomes === 'unread') this.#sift(calls, new Error('the thread cannot read it'));
    // First of all the next commit: the disk should not wait for what callers make of the last one.
    this.#commit();
    if (outcomes === 'unread') return;
    for (const [index, queued] of calls.entries()) settle(queued, outcomes[index]);
  }

  #tell(message: ToThread, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, [...transfer]);
  }

  #end(error: StoreError, isUncertain = false): void {
    if (this.#state.name === 'ended') return;
    if (this.#state.name === 'opening') this.#state.failed(error);
    const lost = this.#state.name === 'committing' ? this.#state.calls : [];
    const waiting = this.#queue;
    this.#queue = [];
    this.#state = { name: 'ended', error };
    if (!this.#isClosing) this.#onLost(error);
    const unknown = isUncertain ? new StoreUncertainError(error.subject) : error;
    for (const { reject } of lost) reject(unknown);
    for (const { reject } of waiting) reject(error);
  }
}

function settle({ resolve, reject }: QueuedCall, outcome: Outcome | undefined): void {
  if (outcome?.state === 'done') resolve(outcome.value);
  else reject(outcome ? storeErrorOf(outcome.failure) : new StoreFailedError('an answer is missing'));
}
