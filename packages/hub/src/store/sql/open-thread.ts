import { Worker } from 'node:worker_threads';
import type { OpenedDatabase } from './call.ts';
import { StoreThread } from './store-thread.ts';
import { threadProgram, type WorkerName } from './thread-program.ts';

/** Start the thread of a database. Raises what it cannot be opened for, once the thread is gone. */
export async function openThread(
  name: WorkerName,
  data: unknown,
): Promise<{ thread: StoreThread; database: OpenedDatabase }> {
  const thread = new StoreThread(new Worker(threadProgram(name), { workerData: data }));
  const database = await thread.opened.catch(async (error: unknown) => {
    // Until its thread is gone, a file that was refused may still be locked.
    await thread.close();
    throw error;
  });
  return { thread, database };
}
