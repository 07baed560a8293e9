import { parentPort } from 'node:worker_threads';
import { messageOf } from '@signalbox/protocol';
import { freeMemory, LONG_MESSAGE_BYTES } from '../../base/free-memory.ts';
import { failureOf, StoreError, StoreFailedError, StoreUnsendableError } from '../store-errors.ts';
import type { Call, FromThread, OpenedDatabase, Outcome, ToThread } from './call.ts';
import { givenBuffers } from './given-buffers.ts';

/** A database with all parts of the store on it. It does one thing at a time, in the order in which it is asked. */
export interface ServedEngine {
  /** Carry out calls in their order, in one commit; when that fails, each in one of its own. */
  perform(calls: readonly Call[]): Outcome[] | Promise<Outcome[]>;
  /** The position of the last update. */
  readonly position: number;
  /** After {@link perform}, when its callers have been answered. */
  noteCommit(): void;
  /** Call this when the database can never be used again, and whether it is unknown what became of what it performs. */
  onLost?(listener: (error: StoreError, isUncertain: boolean) => void): void;
  /** Call this when it has to find out first what became of what it performs, and cannot for now. */
  onDoubt?(listener: (error: StoreError) => void): void;
  /** There is nothing to do for a while. */
  rest(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** How long there must be nothing to do before the engine rests. */
const REST_MS = 1000;

function say(message: FromThread): void {
  parentPort?.postMessage(message, []);
}

/** Of what cannot be said, everything else is. Gives how much of it are long prompts. */
function sayOutcomes(outcomes: readonly Outcome[], position: number): number {
  const { windows, prompts } = givenBuffers(outcomes);
  const bytes = prompts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  try {
    parentPort?.postMessage({ state: 'committed', outcomes, position }, [...windows, ...prompts]);
  } catch {
    say({ state: 'committed', outcomes: outcomes.map(sendable), position });
  }
  return bytes;
}

function sendable(outcome: Outcome): Outcome {
  try {
    return structuredClone(outcome);
  } catch (error) {
    return { state: 'failed', failure: failureOf(new StoreUnsendableError(messageOf(error))) };
  }
}

/** Serve a store from its thread: nothing else in the process waits for its database. */
export async function serveStore(
  open: () => Promise<{ engine: ServedEngine; opened: OpenedDatabase }>,
): Promise<void> {
  try {
    const { engine, opened } = await open();
    say({ state: 'open', ...opened });
    engine.onLost?.((error, isUncertain) => say({ state: 'failed', failure: failureOf(error), isUncertain }));
    engine.onDoubt?.((error) => say({ state: 'doubt', failure: failureOf(error) }));
    serve(engine);
  } catch (error) {
    const known = error instanceof StoreError ? error : new StoreFailedError(messageOf(error));
    say({ state: 'failed', failure: failureOf(known) });
    parentPort?.close();
  }
}

function serve(engine: ServedEngine): void {
  const rest = setTimeout(() => void engine.rest(), REST_MS);
  const hear = async (message: ToThread): Promise<void> => {
    if (message === 'close') {
      clearTimeout(rest);
      await engine.close();
      parentPort?.close();
      return;
    }
    const outcomes = engine.perform(message.calls);
    const said = sayOutcomes(outcomes instanceof Promise ? await outcomes : outcomes, engine.position);
    engine.noteCommit();
    // Once the calls themselves are forgotten, and the texts of which the prompts were made.
    if (message.isLong || said > LONG_MESSAGE_BYTES) setImmediate(freeMemory);
    rest.refresh();
  };
  parentPort?.on('message', (message: ToThread) => void hear(message));
  // Whoever called must hear of it, or would wait for ever.
  parentPort?.on('messageerror', () => say({ state: 'committed', outcomes: 'unread' }));
}
