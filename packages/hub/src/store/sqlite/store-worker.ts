// The thread of a database: nothing else in the process waits for a disk.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@signalbox/protocol';
import { StoreError, StoreFailedError } from '../store-errors.ts';
import type { FromThread, Outcome, ToThread } from './call.ts';
import { Engine, failureOf } from './engine.ts';

function say(message: FromThread): void {
  parentPort?.postMessage(message, 'outcomes' in message ? message.outcomes.flatMap(buffersOf) : []);
}

/** Bodies of runs change hands: a window costs no copy. */
function buffersOf(outcome: Outcome): ArrayBuffer[] {
  const value = outcome.state === 'done' ? outcome.value : undefined;
  if (typeof value !== 'object' || value === null || !('parts' in value) || !Array.isArray(value.parts))
    return [];
  return value.parts.flatMap(({ body }: { body: Uint8Array<ArrayBuffer> | null }) =>
    body ? [body.buffer] : [],
  );
}

function open(file: string): Engine | undefined {
  try {
    return new Engine(file);
  } catch (error) {
    const known = error instanceof StoreError ? error : new StoreFailedError(messageOf(error));
    say({ state: 'failed', failure: failureOf(known) });
    return undefined;
  }
}

const engine = open(String(workerData));
if (engine) {
  parentPort?.on('message', (message: ToThread) => {
    if (message !== 'close') return say({ state: 'committed', outcomes: engine.perform(message.calls) });
    engine.close();
    parentPort?.close();
  });
  say({ state: 'open', epoch: engine.epoch });
} else {
  parentPort?.close();
}
