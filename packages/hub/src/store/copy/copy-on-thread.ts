import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadProgram } from '../sql/thread-program.ts';
import { StoreFailedError, type StoreFailure, storeErrorOf } from '../store-errors.ts';
import type { CopyPlaces } from './copy-between.ts';
import type { CopyProgress, CopyReport } from './copy-store.ts';

/** What the thread of a copy says. */
export type FromCopyThread =
  | { state: 'copying'; progress: CopyProgress }
  | { state: 'done'; report: CopyReport }
  | { state: 'failed'; failure: StoreFailure };

/**
 * Copy a store to another place, or go on with a copy. It is finished when no hub uses the source. Raises a `StoreError`:
 * `STORE_NOT_EMPTY` for a target that has anything but an unfinished copy of the same source.
 */
export async function copyStoreTo(
  places: CopyPlaces,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<CopyReport> {
  const worker = new Worker(threadProgram('copy-worker'), { workerData: places });
  let end: Exclude<FromCopyThread, { state: 'copying' }> | undefined;
  worker.on('message', (message: FromCopyThread) => {
    if (message.state === 'copying') onProgress(message.progress);
    else end = message;
  });
  await once(worker, 'exit');
  if (end?.state === 'done') return end.report;
  throw end ? storeErrorOf(end.failure) : new StoreFailedError('the copy was not finished');
}
