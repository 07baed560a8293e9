// The thread of a database: nothing else in the process waits for a disk.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@signalbox/protocol';
import { freeMemory } from '../../base/free-memory.ts';
import { failureOf, StoreError, StoreFailedError, StoreUnsendableError } from '../store-errors.ts';
import type { FromThread, Outcome, ToThread } from './call.ts';
import { Engine } from './engine.ts';
import { takeMendedLog } from './log/damaged-log.ts';
import { buffersOf } from './packed-window.ts';

function say(message: FromThread): void {
  parentPort?.postMessage(message, []);
}

/** Of what cannot be said, everything else is. */
function sayOutcomes(outcomes: readonly Outcome[], position: number): void {
  try {
    parentPort?.postMessage({ state: 'committed', outcomes, position }, outcomes.flatMap(buffersOf));
  } catch {
    say({ state: 'committed', outcomes: outcomes.map(sendable), position });
  }
}

function sendable(outcome: Outcome): Outcome {
  try {
    return structuredClone(outcome);
  } catch (error) {
    return { state: 'failed', failure: failureOf(new StoreUnsendableError(messageOf(error))) };
  }
}

/** How long there must be nothing to do before the log is emptied. */
const REST_MS = 1000;

function open(file: string): Engine | undefined {
  try {
    const damagedLog = takeMendedLog(file);
    const engine = new Engine(file);
    say({
      state: 'open',
      generation: engine.generation,
      damagedLog: damagedLog ?? engine.lostLog,
    });
    return engine;
  } catch (error) {
    const known = error instanceof StoreError ? error : new StoreFailedError(messageOf(error));
    say({ state: 'failed', failure: failureOf(known) });
    return undefined;
  }
}

const engine = open(String(workerData));
if (engine) {
  const rest = setTimeout(() => engine.rest(), REST_MS);
  parentPort?.on('message', (message: ToThread) => {
    if (message !== 'close') {
      sayOutcomes(engine.perform(message.calls), engine.position);
      engine.noteCommit();
      // Once the calls themselves are forgotten.
      if (message.isLong) setImmediate(freeMemory);
      rest.refresh();
      return;
    }
    clearTimeout(rest);
    engine.close();
    parentPort?.close();
  });
  // Whoever called must hear of it, or would wait for ever.
  parentPort?.on('messageerror', () => say({ state: 'committed', outcomes: 'unread' }));
} else {
  parentPort?.close();
}
