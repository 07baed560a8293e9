// Says things in a session of a store for ever, searches for them, and says on stdout when the index has some of them.

import { writeSync } from 'node:fs';
import { reply } from '@signalbox/testing/hub/search-lines';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { AGENT } from './sample-record.ts';

const [, , file = ''] = process.argv;
const store = await openSqliteStore(file);
if (!(await store.sessions.get('a'))) await store.sessions.create('a');
for (;;) {
  const lines = Array.from({ length: 50 }, (_, at) => reply(`apple ${at}`));
  await store.commit({ appends: [{ session: 'a', author: AGENT, lines }] });
  const { items } = await store.search.find({ words: 'apple' });
  if (items.length > 0) writeSync(1, `${items[0]?.seq}\n`);
}
