// The thread of a PostgreSQL database: lines are checked and packed there, and nothing else in the process waits.
import { workerData } from 'node:worker_threads';
import { serveStore } from '../sql/serve-store.ts';
import { databaseAddress } from './database-address.ts';
import { PostgresEngine } from './postgres-engine.ts';

void serveStore(async () => {
  const engine = await PostgresEngine.open(databaseAddress(String(workerData)));
  return { engine, opened: { generation: engine.generation, damagedLog: undefined } };
});
