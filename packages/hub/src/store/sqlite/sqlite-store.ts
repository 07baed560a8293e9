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
    database.epoch,
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

/** Run from source the thread needs a loader of TypeScript; built, it is a file beside this one. */
function startWorker(file: string): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./store-worker.mjs', import.meta.url), { workerData: file });
  }
  const source = new URL('./store-worker.ts', import.meta.url).href;
  const load = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))})
    .then(({ tsImport }) => tsImport(${JSON.stringify(source)}, ${JSON.stringify(import.meta.url)}));`;
  return new Worker(load, { eval: true, workerData: file });
}
