import type { Caller } from '../sql/call.ts';
import { storeOver } from '../sql/store-parts.ts';
import type { Store } from '../store.ts';
import { StoreClosedError, storeErrorOf } from '../store-errors.ts';

/** A store that forgets everything when it closes, on this thread: for tests, and to try things out. */
export async function openMemoryStore(): Promise<Store> {
  const { Engine } = await import('./engine.ts');
  const { LocalSearch } = await import('./search/local-search.ts');
  const engine = new Engine(':memory:');
  let isOpen = true;
  let onCommit = (_position: number): void => {};
  const caller: Caller = async (call) => {
    if (!isOpen) throw new StoreClosedError();
    const [outcome] = engine.perform([call]);
    onCommit(engine.position);
    if (outcome?.state === 'failed') throw storeErrorOf(outcome.failure);
    return outcome?.value;
  };
  const search = new LocalSearch(caller);
  return storeOver(
    caller,
    {
      generation: engine.generation,
      onCommit: (listener) => {
        onCommit = listener;
      },
      search,
    },
    async () => {
      await search.close();
      if (isOpen) engine.close();
      isOpen = false;
    },
  );
}
