// Appends lines to the sessions of a store for ever, each batch with a few lines that are there already, and says
// on stdout what is safe.
import { writeSync } from 'node:fs';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { append, linkedAppend } from './sample-record.ts';

const [, , file = '', ...sessions] = process.argv;

async function appendForEver(store: Store, session: string): Promise<never> {
  if (!(await store.sessions.get(session))) await store.sessions.create(session);
  let count = (await store.record.position(session))?.count ?? 0;
  for (let size = 1; ; size = (size * 7) % 31) {
    await append(store, [linkedAppend(session, 'link', Math.max(1, count - 2), count + size)]);
    count += size;
    writeSync(1, `${session} ${count}\n`);
  }
}

const store = await (file.startsWith('postgres:') ? openPostgresStore(file) : openSqliteStore(file));
await Promise.all(sessions.map((session) => appendForEver(store, session)));
