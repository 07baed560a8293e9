import { Worker } from 'node:worker_threads';
import type { OpenedDatabase } from '../sql/call.ts';
import { SearchThread } from '../sql/search/search-thread.ts';
import { storeOver } from '../sql/store-parts.ts';
import { StoreThread } from '../sql/store-thread.ts';
import { threadProgram } from '../sql/thread-program.ts';
import type { Store } from '../store.ts';
import { StoreLogDamagedError } from '../store-errors.ts';
import { SqliteBackups } from './backup/sqlite-backups.ts';
import type { DamagedLog } from './log/damaged-log.ts';

/** Who is told of damage that the store has got over. */
export interface SqliteStoreOptions {
  onDamagedLog?: (damage: DamagedLog) => void;
  /** The search index is made anew, and why. */
  onDamagedIndex?: (why: string) => void;
}

/** Open the store in a file, which is made when it is not there. Raises a `StoreError` when it cannot be used. */
export async function openSqliteStore(
  file: string,
  { onDamagedLog, onDamagedIndex = () => {} }: SqliteStoreOptions = {},
): Promise<Store> {
  // A log that had to be mended is used by a second attempt.
  const { thread, database } = await open(file).catch((error: unknown) => {
    if (error instanceof StoreLogDamagedError) return open(file);
    throw error;
  });
  if (database.damagedLog) onDamagedLog?.(database.damagedLog);
  const search = new SearchThread({
    program: threadProgram('search-worker'),
    file: `${file}-search`,
    ask: (call) => thread.call(call),
    onDamaged: onDamagedIndex,
  });
  const backups = new SqliteBackups(file, (call) => thread.call(call));
  const store = storeOver(
    (call, transfer) => thread.call(call, transfer),
    { generation: database.generation, onCommit: (listener) => thread.onCommit(listener), search, backups },
    async () => {
      // From the same moment on: what is called after a close is refused, also while the index is still at work.
      await Promise.all([backups.close(), thread.close(), search.close()]);
    },
  );
  store.updates.onUpdate(() => search.noteCommit());
  return store;
}

async function open(file: string): Promise<{ thread: StoreThread; database: OpenedDatabase }> {
  const thread = new StoreThread(new Worker(threadProgram('store-worker'), { workerData: file }));
  const database = await thread.opened.catch(async (error: unknown) => {
    // Until its thread is gone, a file that was refused may still be locked.
    await thread.close();
    throw error;
  });
  return { thread, database };
}
