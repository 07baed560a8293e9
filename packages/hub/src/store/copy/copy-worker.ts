// Copies a store on a thread of its own: what SQLite had open is closed when it ends.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@signalbox/protocol';
import { failureOf, StoreError, StoreFailedError } from '../store-errors.ts';
import { type CopyPlaces, copyBetween } from './copy-between.ts';
import type { FromCopyThread } from './copy-on-thread.ts';

function say(message: FromCopyThread): void {
  parentPort?.postMessage(message, []);
}

async function copy(): Promise<void> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own words
    const report = await copyBetween(workerData as CopyPlaces, (progress) =>
      say({ state: 'copying', progress }),
    );
    say({ state: 'done', report });
  } catch (error) {
    const known = error instanceof StoreError ? error : new StoreFailedError(messageOf(error));
    say({ state: 'failed', failure: failureOf(known) });
  }
}

void copy();
