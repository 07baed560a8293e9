import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Outcome } from '../../sql/call.ts';
import { threadProgram } from '../../sql/thread-program.ts';
import { StoreFailedError, storeErrorOf } from '../../store-errors.ts';
import type { CopiedDatabase } from './copy-database.ts';
import type { PutBack } from './put-back.ts';

/** What is done with a database, on a thread of its own. */
export type BackupTask =
  | { kind: 'copy'; from: string; to: string }
  | { kind: 'check'; file: string }
  | { kind: 'put back'; from: string; to: string; replaces: boolean };

/** Do it; ended by the signal, it fails. */
async function runBackupTask(task: BackupTask, signal?: AbortSignal): Promise<unknown> {
  signal?.throwIfAborted();
  const worker = new Worker(threadProgram('backup-worker'), { workerData: task });
  const end = (): void => void worker.terminate();
  signal?.addEventListener('abort', end);
  try {
    const heard: Outcome[] = [];
    worker.on('message', (outcome: Outcome) => heard.push(outcome));
    await once(worker, 'exit');
    const [outcome] = heard;
    if (outcome?.state === 'done') return outcome.value;
    throw outcome ? storeErrorOf(outcome.failure) : new StoreFailedError('a copy was not finished');
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** {@link copyDatabase}, on a thread of its own. */
export async function copyOnThread(from: string, to: string, signal?: AbortSignal): Promise<CopiedDatabase> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the other side gives
  return (await runBackupTask({ kind: 'copy', from, to }, signal)) as CopiedDatabase;
}

/** {@link checkDatabase}, on a thread of its own. */
export async function checkBackup(file: string): Promise<CopiedDatabase> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return (await runBackupTask({ kind: 'check', file })) as CopiedDatabase;
}

/** {@link putBack}, on a thread of its own. */
export async function restoreBackup(from: string, to: string, replaces: boolean): Promise<PutBack> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return (await runBackupTask({ kind: 'put back', from, to, replaces })) as PutBack;
}
