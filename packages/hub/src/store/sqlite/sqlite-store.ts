import { Worker } from 'node:worker_threads';
import type { Store } from '../store.ts';
import { StoreLogDamagedError } from '../store-errors.ts';
import type { OpenedDatabase } from './call.ts';
import type { DamagedLog } from './log/damaged-log.ts';
import { storeOver } from './store-parts.ts';
import { StoreThread } from './store-thread.ts';

/** What a {@link DamagedLog} is told to. */
export interface SqliteStoreOptions {
  onDamagedLog?: (damage: DamagedLog) => void;
}

/** Open the store in a file, which is made when it is not there. Raises a `StoreError` when it cannot be used. */
export async function openSqliteStore(
  file: string,
  { onDamagedLog }: SqliteStoreOptions = {},
): Promise<Store> {
  // A log that had to be mended is used by a second attempt.
  const { thread, database } = await open(file).catch((error: unknown) => {
    if (error instanceof StoreLogDamagedError) return open(file);
    throw error;
  });
  if (database.damagedLog) onDamagedLog?.(database.damagedLog);
  return storeOver(
    (call, transfer) => thread.call(call, transfer),
    { generation: database.generation, onCommit: (listener) => thread.onCommit(listener) },
    () => thread.close(),
  );
}

async function open(file: string): Promise<{ thread: StoreThread; database: OpenedDatabase }> {
  const thread = new StoreThread(startWorker(file));
  const database = await thread.opened.catch(async (error: unknown) => {
    // Until its thread is gone, a file that was refused may still be locked.
    await thread.close();
    throw error;
  });
  return { thread, database };
}

/** The thread's program. Who runs from source has it from the last build: through a loader each start would take a second. */
const WORKER = import.meta.url.endsWith('.ts')
  ? new URL('../../../../../dist/chunks/store-worker.mjs', import.meta.url)
  : new URL('./store-worker.mjs', import.meta.url);

function startWorker(file: string): Worker {
  return new Worker(WORKER, { workerData: file });
}
