import { openThread } from '../sql/open-thread.ts';
import { SearchThread } from '../sql/search/search-thread.ts';
import { storeOver } from '../sql/store-parts.ts';
import { threadProgram } from '../sql/thread-program.ts';
import type { Store } from '../store.ts';
import { databaseAddress } from './database-address.ts';
import { PostgresConnection } from './postgres-connection.ts';
import type { PostgresOptions } from './postgres-engine.ts';
import { storeErrorFor } from './postgres-errors.ts';
import type { PostgresThreadData } from './postgres-worker.ts';
import { assertKnown, assertWhole } from './schema.ts';

/** Raises what would keep a hub from starting on a database, which nothing is changed of. */
export async function assertDatabaseKnown(url: string): Promise<void> {
  const address = databaseAddress(url);
  let connection: PostgresConnection | undefined;
  try {
    connection = await PostgresConnection.open(address);
    await assertKnown(connection);
    await assertWhole(connection);
  } catch (error) {
    throw storeErrorFor(error, address.shown);
  } finally {
    await connection?.end();
  }
}

/**
 * Open the store in a PostgreSQL database, as the node that leads there. Raises a `StoreError` when it cannot be used; then it is
 * as it was.
 */
export async function openPostgresStore(
  url: string,
  options: Omit<PostgresOptions, 'now'> = {},
): Promise<Store> {
  const address = databaseAddress(url);
  const data: PostgresThreadData = { ...options, url: address.url };
  const { thread, database } = await openThread('postgres-worker', data);
  const search = new SearchThread({
    program: threadProgram('postgres-search-worker'),
    data: address.url,
    ask: (call) => thread.call(call),
    onDamaged: () => {},
  });
  const store = storeOver(
    (call, transfer) => thread.call(call, transfer),
    {
      generation: database.generation,
      onCommit: (listener) => thread.onCommit(listener),
      lost: thread.lost,
      onDoubt: (listener) => thread.onDoubt(listener),
      search,
    },
    async () => {
      await Promise.all([thread.close(), search.close()]);
    },
  );
  store.updates.onUpdate(() => search.noteCommit());
  return store;
}
