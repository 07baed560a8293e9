// The thread of the index in a PostgreSQL database.
import { workerData } from 'node:worker_threads';
import { serveIndex } from '../../sql/search/serve-index.ts';
import { databaseAddress } from '../database-address.ts';
import { PostgresIndex } from './postgres-index.ts';

serveIndex(() => new PostgresIndex(databaseAddress(String(workerData))));
