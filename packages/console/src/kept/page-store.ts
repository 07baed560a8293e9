import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import { type KeptList, type KeptSession, MAX_KEPT_SESSIONS } from './kept-data.ts';

/** A database of another version is of no use to this page. */
const VERSION = 1;

const PREFIX = 'signalbox-kept ';

/** A browser whose database does not answer, which some leave hanging for good, is one that keeps nothing. */
const ANSWER_MS = 1500;

interface Schema extends DBSchema {
  list: { key: 'list'; value: KeptList };
  sessions: { key: string; value: KeptSession; indexes: { usedAt: number } };
}

/**
 * What the page shows before the hub has answered: in IndexedDB, a database for each sign-in. Nothing here fails: without a
 * database, or with a full or broken one, the page waits for the hub as it would without it.
 */
export class PageStore {
  readonly #name: string;
  #database: Promise<IDBPDatabase<Schema>> | undefined;
  #state: 'usable' | 'given-up' = 'usable';

  constructor(owner: string) {
    this.#name = PREFIX + owner;
  }

  list(): Promise<KeptList | undefined> {
    return this.#use((database) => database.get('list', 'list'));
  }

  session(id: string): Promise<KeptSession | undefined> {
    return this.#use((database) => database.get('sessions', id));
  }

  async putList(list: KeptList): Promise<void> {
    await this.#use((database) => database.put('list', list, 'list'));
  }

  /** Keep a session; the one that was used longest ago makes room. */
  async putSession(session: KeptSession): Promise<void> {
    await this.#use(async (database) => {
      const { store, done } = database.transaction('sessions', 'readwrite');
      await store.put(session);
      let excess = (await store.count()) - MAX_KEPT_SESSIONS;
      let oldest = excess > 0 ? await store.index('usedAt').openCursor() : null;
      for (; oldest && excess > 0; excess -= 1) {
        await oldest.delete();
        oldest = await oldest.continue();
      }
      await done;
    });
  }

  /** Forget the sessions that are not among these. */
  async keepOnly(ids: ReadonlySet<string>): Promise<void> {
    await this.#use(async (database) => {
      for (const id of await database.getAllKeys('sessions'))
        if (!ids.has(id)) await database.delete('sessions', id);
    });
  }

  async remove(id: string): Promise<void> {
    await this.#use((database) => database.delete('sessions', id));
  }

  /** Forget everything, for good: what is on its way here is not kept any more. */
  async destroy(): Promise<void> {
    this.#state = 'given-up';
    const database = await this.#database?.catch(() => undefined);
    database?.close();
    await deleteDB(this.#name).catch(() => {});
  }

  async #use<Value>(work: (database: IDBPDatabase<Schema>) => Promise<Value>): Promise<Value | undefined> {
    try {
      return await inTime(this.#worked(work));
    } catch {
      // No room, no database, or one that was closed under us: from now on there is none.
      this.#state = 'given-up';
      return undefined;
    }
  }

  async #worked<Value>(work: (database: IDBPDatabase<Schema>) => Promise<Value>): Promise<Value | undefined> {
    if (this.#state === 'given-up') return undefined;
    this.#database ??= this.#open();
    return work(await this.#database);
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    return openDB<Schema>(this.#name, VERSION, {
      upgrade: (database) => {
        database.createObjectStore('list');
        database.createObjectStore('sessions', { keyPath: 'id' }).createIndex('usedAt', 'usedAt');
      },
      // Another tab signs out: it must not wait for this one.
      blocking: (_old, _new, event) => {
        this.#state = 'given-up';
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is a database that is told of another version
        (event.target as IDBDatabase).close();
      },
    });
  }
}

/** Remove what other sign-ins left in this browser. */
export async function destroyOtherStores(owner: string | undefined): Promise<void> {
  try {
    // Not every browser can list them.
    for (const { name } of (await indexedDB.databases?.()) ?? [])
      if (name?.startsWith(PREFIX) && name !== PREFIX + (owner ?? '')) await deleteDB(name);
  } catch {
    // There are none that could be read.
  }
}

async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The database does not answer.')), ANSWER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
