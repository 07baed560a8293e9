// The thread of a PostgreSQL database: lines are checked and packed there, and nothing else in the process waits.
import { workerData } from 'node:worker_threads';
import { serveStore } from '../sql/serve-store.ts';
import { databaseAddress } from './database-address.ts';
import { PostgresEngine, type PostgresOptions } from './postgres-engine.ts';

/** What the thread is started with. */
export interface PostgresThreadData extends Omit<PostgresOptions, 'now'> {
  url: string;
}

void serveStore(async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `openPostgresStore` started this thread
  const { url, ...options } = workerData as PostgresThreadData;
  const engine = await PostgresEngine.open(databaseAddress(url), options);
  return { engine, opened: { generation: engine.generation, damagedLog: undefined } };
});
