// The thread of a database in a file.
import { workerData } from 'node:worker_threads';
import { serveStore } from '../sql/serve-store.ts';
import { Engine } from './engine.ts';
import { takeMendedLog } from './log/damaged-log.ts';

const file = String(workerData);

void serveStore(async () => {
  const damagedLog = takeMendedLog(file);
  const engine = new Engine(file);
  return { engine, opened: { generation: engine.generation, damagedLog: damagedLog ?? engine.lostLog } };
});
