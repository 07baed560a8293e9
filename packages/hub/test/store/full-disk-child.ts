// Fills the disk that a folder is on, makes room again, and says on stdout what became of a store there.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { append, sampleAppend, sampleLine, wholeRecord } from './sample-record.ts';
import { storeOnThisThread } from './store-on-this-thread.ts';

const [, , folder = ''] = process.argv;
const file = join(folder, 'hub.db');
const ballast = join(folder, 'ballast');
const PADDING = 1000;

/** Append until that is refused; gives the number of the last line that was taken, and why no more were. */
async function fill(
  store: Awaited<ReturnType<typeof openSqliteStore>>,
  from: number,
): Promise<[number, unknown]> {
  for (let number = from; ; number += 10) {
    try {
      await append(store, [sampleAppend('a', number, number + 9, PADDING)]);
    } catch (error) {
      return [number - 1, error instanceof Error && 'code' in error ? error.code : String(error)];
    }
  }
}

const store = await openSqliteStore(file);
await store.sessions.create('a');
writeFileSync(ballast, Buffer.alloc(8 * 1024 * 1024));
const [last, code] = await fill(store, 1);
const readable = (await store.record.tail('a')).last;
rmSync(ballast);
await append(store, [sampleAppend('a', last + 1, last + 10, PADDING)]);
await store.close();
const again = await openSqliteStore(file);
const record = await wholeRecord(again, 'a');
const isIdentical = record.every((text, index) => text === sampleLine(index + 1, PADDING));
await again.close();
// One that has nothing to do on a full disk outlives that.
for (const suffix of ['', '-wal', '-mark']) rmSync(`${file}${suffix}`, { force: true });
const resting = storeOnThisThread(file);
await resting.store.sessions.create('a');
writeFileSync(ballast, Buffer.alloc(8 * 1024 * 1024));
await fill(resting.store, 1);
resting.engine.rest();
await resting.store.close();
process.stdout.write(JSON.stringify({ code, last, readable, entries: record.length, isIdentical }));
