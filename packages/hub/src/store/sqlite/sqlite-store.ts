import { openThread } from '../sql/open-thread.ts';
import { SearchThread } from '../sql/search/search-thread.ts';
import { storeOver } from '../sql/store-parts.ts';
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
    data: `${file}-search`,
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

function open(file: string): ReturnType<typeof openThread> {
  return openThread('store-worker', file);
}
