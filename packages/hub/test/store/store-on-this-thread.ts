import type { Caller } from '../../src/store/sql/call.ts';
import { storeOver } from '../../src/store/sql/store-parts.ts';
import { Engine } from '../../src/store/sqlite/engine.ts';
import { LocalSearch } from '../../src/store/sqlite/search/local-search.ts';
import type { Store } from '../../src/store/store.ts';
import { storeErrorOf } from '../../src/store/store-errors.ts';

/** A store whose every call is a commit, and that does nothing of its own accord. */
export function storeOnThisThread(file: string): { engine: Engine; store: Store } {
  const engine = new Engine(file);
  const caller: Caller = async (call) => {
    const [outcome] = engine.perform([call]);
    engine.noteCommit();
    if (outcome?.state === 'failed') throw storeErrorOf(outcome.failure);
    return outcome?.value;
  };
  const search = new LocalSearch(caller);
  const store = storeOver(caller, { generation: engine.generation, onCommit: () => {}, search }, async () => {
    await search.close();
    engine.close();
  });
  return { engine, store };
}
