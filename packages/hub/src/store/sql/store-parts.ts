import type { Backups } from '../backup.ts';
import type { Search } from '../search.ts';
import type { Store } from '../store.ts';
import type { StoreError } from '../store-errors.ts';
import type { Caller } from './call.ts';
import { CommitClient } from './commit-client.ts';
import { InboxClient } from './inbox-client.ts';
import { RecordClient } from './record-client.ts';
import { UpdatesClient } from './updates-client.ts';

/** Where the parts of a store are. */
export interface StorePlace {
  generation: number;
  /** Calls the listener with the position of the last update, after each commit. */
  onCommit: (listener: (position: number) => void) => void;
  /** Settles when the store can never be used again, though nobody has closed it. */
  lost?: Promise<StoreError>;
  onDoubt?: Store['onDoubt'];
  search: Search;
  backups?: Backups;
}

/** A store whose parts are somewhere else. */
export function storeOver(
  caller: Caller,
  { generation, onCommit, lost, onDoubt, search, backups }: StorePlace,
  close: () => Promise<void>,
): Store {
  const commits = new CommitClient(caller);
  return {
    generation,
    commit: (commit) => commits.commit(commit),
    updates: new UpdatesClient(caller, onCommit),
    record: new RecordClient(caller),
    sessions: remotePart(caller, 'sessions'),
    inbox: new InboxClient(caller),
    permissions: remotePart(caller, 'permissions'),
    rules: remotePart(caller, 'rules'),
    budgets: remotePart(caller, 'budgets'),
    spend: remotePart(caller, 'spend'),
    notices: remotePart(caller, 'notices'),
    audit: remotePart(caller, 'audit'),
    devices: remotePart(caller, 'devices'),
    answers: remotePart(caller, 'answers'),
    launches: remotePart(caller, 'launches'),
    loops: remotePart(caller, 'loops'),
    comments: remotePart(caller, 'comments'),
    search,
    ...(backups ? { backups } : {}),
    ...(lost ? { lost } : {}),
    ...(onDoubt ? { onDoubt } : {}),
    disk: remotePart(caller, 'disk'),
    retention: remotePart(caller, 'retention'),
    close,
  };
}

/** Every method is a call of the same name. */
function remotePart<Name extends keyof Store>(caller: Caller, part: Name): Store[Name] {
  const methods = new Proxy(
    {},
    {
      get: (_, method) => {
        // A promise that settles with a part asks it for `then`.
        if (typeof method === 'symbol' || method === 'then') return undefined;
        return (...values: unknown[]) => caller({ part, method, values });
      },
    },
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other side implements the same interface
  return methods as Store[Name];
}
