import type { Thread } from '../loop/thread.ts';
import { fullModelName } from '../model/prices.ts';

/** Work with another model, if one is named; afterwards the old one is back, unless someone has set a third. */
export async function withModel<T>(
  thread: Thread,
  name: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (name === undefined || name === 'inherit') return work();
  const before = thread.modelName;
  const own = fullModelName(name);
  thread.modelName = own;
  try {
    return await work();
  } finally {
    if (thread.modelName === own) thread.modelName = before;
  }
}
