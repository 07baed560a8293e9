import type { Store } from '../store.ts';
import { StoreClosedError, storeErrorOf } from '../store-errors.ts';
import { storeOver } from './store-parts.ts';

/** A store that forgets everything when it closes, on this thread: for tests, and to try things out. */
export async function openMemoryStore(): Promise<Store> {
  const { Engine } = await import('./engine.ts');
  const engine = new Engine(':memory:');
  let isOpen = true;
  let onCommit = (_position: number): void => {};
  return storeOver(
    async (call) => {
      if (!isOpen) throw new StoreClosedError();
      const [outcome] = engine.perform([call]);
      onCommit(engine.position);
      if (outcome?.state === 'failed') throw storeErrorOf(outcome.failure);
      return outcome?.value;
    },
    {
      generation: engine.generation,
      onCommit: (listener) => {
        onCommit = listener;
      },
    },
    async () => {
      if (isOpen) engine.close();
      isOpen = false;
    },
  );
}
