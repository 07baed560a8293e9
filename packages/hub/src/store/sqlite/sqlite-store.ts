import { Worker } from 'node:worker_threads';
import type { Store } from '../store.ts';
import { storeOver } from './store-parts.ts';
import { StoreThread } from './store-thread.ts';

/** Open the store in a file, which is made when it is not there. Raises a `StoreError` when it cannot be used. */
export async function openSqliteStore(file: string): Promise<Store> {
  const thread = new StoreThread(startWorker(file));
  const epoch = await thread.opened.catch(async (error: unknown) => {
    // Until its thread is gone, a file that was refused may still be locked.
    await thread.close();
    throw error;
  });
  return storeOver(
    (call, transfer) => thread.call(call, transfer),
    epoch,
    () => thread.close(),
  );
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
