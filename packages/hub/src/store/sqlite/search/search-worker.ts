// The thread of the index in a file.
import { workerData } from 'node:worker_threads';
import { serveIndex } from '../../sql/search/serve-index.ts';
import { FileIndex } from './file-index.ts';

serveIndex((ask, onDamaged) => new FileIndex(String(workerData), ask, onDamaged));
