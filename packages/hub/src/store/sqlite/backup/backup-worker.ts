// Copies databases on a thread of its own: nothing else waits for it, and what it had open is closed when it ends.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@signalbox/protocol';
import type { Outcome } from '../../sql/call.ts';
import { failureOf, StoreError, StoreFailedError } from '../../store-errors.ts';
import type { BackupTask } from './backup-task.ts';
import { checkDatabase, copyDatabase } from './copy-database.ts';
import { putBack } from './put-back.ts';

function valueOf(task: BackupTask): unknown {
  switch (task.kind) {
    case 'copy':
      return copyDatabase(task.from, task.to);
    case 'check':
      return checkDatabase(task.file);
    case 'put back':
      return putBack(task.from, task.to, task);
  }
}

function outcomeOf(task: BackupTask): Outcome {
  try {
    return { state: 'done', value: valueOf(task) };
  } catch (error) {
    const known = error instanceof StoreError ? error : new StoreFailedError(messageOf(error));
    return { state: 'failed', failure: failureOf(known) };
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own words
parentPort?.postMessage(outcomeOf(workerData as BackupTask), []);
