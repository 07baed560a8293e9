import { parentPort } from 'node:worker_threads';
import { messageOf } from '@signalbox/protocol';
import { failureOf, StoreError, StoreFailedError, storeErrorOf } from '../../store-errors.ts';
import type { Call, Caller, Outcome } from '../call.ts';
import type { FromSearch, IndexQuestion, SearchOutcome, ToSearch } from './search-message.ts';
import { type SaidIndex, Searcher } from './searcher.ts';

/** How long there must be nothing to do before the thread may go: it takes some megabytes. */
const IDLE_MS = 10_000;

/** Serve one index to the thread of the hub: to make it, and to search in it, holds no commit up. */
export function serveIndex(open: (ask: Caller, onDamaged: (why: string) => void) => SaidIndex): void {
  const asked: ((outcome: Outcome) => void)[] = [];

  function say(message: FromSearch): void {
    parentPort?.postMessage(message, []);
  }

  /** The store answers in the order in which it was asked. */
  async function ask(call: Call): Promise<unknown> {
    const outcome = await new Promise<Outcome>((resolve) => {
      asked.push(resolve);
      say({ kind: 'ask', call });
    });
    if (outcome.state === 'failed') throw storeErrorOf(outcome.failure);
    return outcome.value;
  }

  const searcher = new Searcher({
    index: open(ask, (why) => say({ kind: 'damaged', why })),
    onIdle: () => (isWanted ? idle.refresh() : say({ kind: 'idle' })),
  });
  const idle = setTimeout(() => say({ kind: 'idle' }), IDLE_MS);
  /** Whether anything was heard since the start, at which it looks whether something was left. */
  let isWanted = false;

  async function outcomeOf(question: IndexQuestion): Promise<SearchOutcome> {
    try {
      const found =
        question.kind === 'find' ? searcher.find(question.query) : searcher.outline(question.session);
      return { state: 'done', value: await found };
    } catch (error) {
      const known = error instanceof StoreError ? error : new StoreFailedError(messageOf(error));
      return { state: 'failed', failure: failureOf(known) };
    }
  }

  async function hear(message: ToSearch): Promise<void> {
    switch (message.kind) {
      case 'commit':
        isWanted = true;
        return searcher.noteCommit();
      case 'answer':
        return asked.shift()?.(message.outcome);
      case 'find':
      case 'outline':
        isWanted = true;
        idle.refresh();
        return say({ kind: 'found', id: message.id, outcome: await outcomeOf(message) });
      case 'close':
        clearTimeout(idle);
        await searcher.close();
        parentPort?.close();
    }
  }

  parentPort?.on('message', (message: ToSearch) => void hear(message));
  // It begins with what was recorded before it was there.
  searcher.noteCommit();
}
