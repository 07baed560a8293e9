import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reply, toolCall, toolResult } from '@signalbox/testing/hub/search-lines';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { AGENT } from './sample-record.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-search-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function newFile(): string {
  return join(folder, `${crypto.randomUUID()}.db`);
}

/** Open a store, use it, close it. */
async function using<Result>(
  file: string,
  use: (store: Store) => Promise<Result>,
  options?: SqliteStoreOptions,
): Promise<Result> {
  const store = await openSqliteStore(file, options);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function say(store: Store, session: string, ...texts: string[]): Promise<void> {
  await store.commit({ appends: [{ session, author: AGENT, lines: texts.map(reply) }] });
}

/** The places at which words are found, once the index has all of them. */
async function places({ search }: Store, words: string): Promise<string[]> {
  for (;;) {
    const { items, isComplete } = await search.find({ words, limit: 100 });
    if (isComplete) return items.map(({ session, seq }) => `${session} ${seq}`).toSorted();
  }
}

describe('the index of a SQLite store', () => {
  it('[LOG1710] holds over a restart, and an older database that has none is indexed', async () => {
    const file = newFile();
    await using(file, async (store) => {
      for (const id of ['a', 'b']) await store.sessions.create(id);
      await say(store, 'a', 'one apple', 'two pears');
      await store.commit({
        appends: [{ session: 'b', author: AGENT, lines: [toolCall('t', 'Bash', { command: 'ls' })] }],
      });
      expect(await places(store, 'apple')).toEqual(['a 1']);
      // Recorded after the last search, and not looked for before the store is closed.
      await say(store, 'a', 'another apple');
    });
    await using(file, async (store) => {
      expect(await places(store, 'apple')).toEqual(['a 1', 'a 3']);
      // The name of the tool comes from a call that an earlier thread has seen.
      await store.commit({
        appends: [{ session: 'b', author: AGENT, lines: [toolResult('t', 'an apple')] }],
      });
      const { items } = await store.search.find({ words: 'apple', tool: 'Bash' });
      expect(items.map(({ session, seq }) => [session, seq])).toEqual([['b', 2]]);
    });
    await rm(`${file}-search`);
    await using(file, async (store) => {
      expect(await places(store, 'apple')).toEqual(['a 1', 'a 3', 'b 2']);
    });
  });

  it('[LOG1711] is indexed by itself, behind the commits, and its thread goes when there is nothing to do', async () => {
    const file = newFile();
    await using(file, async (store) => {
      await store.sessions.create('a');
      await say(store, 'a', 'one apple');
      const index = `${file}-search-wal`;
      await expect.poll(async () => (existsSync(index) ? (await stat(index)).size : 0)).toBeGreaterThan(0);
      // The thread that goes empties the log, and removes it.
      await expect.poll(() => existsSync(index)).toBe(false);
      await say(store, 'a', 'another apple');
      expect(await places(store, 'apple')).toEqual(['a 1', 'a 2']);
    });
  });

  it('[LOG1712] follows a copy that was put back: what that does not have is found no more, and what it has otherwise is found as it is', async () => {
    const file = newFile();
    const copy = newFile();
    await using(file, async (store) => {
      for (const id of ['kept', 'longer', 'unchanged']) await store.sessions.create(id);
      await say(store, 'longer', 'first apple');
      await say(store, 'unchanged', 'still apple');
    });
    await copyFile(file, copy);
    await using(file, async (store) => {
      await store.sessions.create('later');
      await say(store, 'later', 'late apple');
      await say(store, 'longer', 'second apple');
      expect(await places(store, 'apple')).toEqual(['later 1', 'longer 1', 'longer 2', 'unchanged 1']);
    });
    await copyFile(copy, file);
    await using(file, async (store) => {
      expect(await places(store, 'apple')).toEqual(['longer 1', 'unchanged 1']);
      await say(store, 'longer', 'a pear', 'third apple');
      expect(await places(store, 'apple')).toEqual(['longer 1', 'longer 3', 'unchanged 1']);
    });
  });

  it('[LOG1713] that is damaged is made anew from the record, whoever comes upon it, and that is said', async () => {
    const file = newFile();
    const damages: string[] = [];
    const options = { onDamagedIndex: (why: string) => void damages.push(why) };
    await using(file, async (store) => {
      await store.sessions.create('a');
      for (let round = 0; round < 20; round += 1)
        await say(store, 'a', ...Array.from({ length: 100 }, (_, at) => `word${round * 100 + at} apple`));
      await say(store, 'a', 'one pear');
      expect(await places(store, 'pear')).toEqual(['a 2001']);
    });
    const index = `${file}-search`;
    // No database at all.
    await writeFile(
      index,
      'this is no database, but a text that is long enough to be read as one\n'.repeat(100),
    );
    await using(file, async (store) => expect(await places(store, 'pear')).toEqual(['a 2001']), options);
    expect(damages).toHaveLength(1);
    // Pages in its middle.
    const { size } = await stat(index);
    const damaged = await open(index, 'r+');
    await damaged.write(Buffer.alloc(size - 3 * 8192, 0xa5), 0, undefined, 3 * 8192);
    await damaged.close();
    await using(
      file,
      async (store) => {
        expect(await places(store, 'pear')).toEqual(['a 2001']);
        expect(await places(store, 'word77')).toEqual(['a 78']);
        await say(store, 'a', 'two pears', 'another pear');
        expect(await places(store, 'pear')).toEqual(['a 2001', 'a 2003']);
      },
      options,
    );
    expect(damages.length).toBeGreaterThan(1);
    // One of another version is made anew without a word: nothing was wrong with it.
    const count = damages.length;
    const { default: Libsql } = await import('libsql');
    const other = new Libsql(index);
    other.exec('PRAGMA user_version = 999');
    other.close();
    await using(file, async (store) => expect(await places(store, 'word77')).toEqual(['a 78']), options);
    expect(damages).toHaveLength(count);
  });

  it('[LOG1714] a kill in the middle of it loses nothing and has nothing twice', async () => {
    const file = newFile();
    const program = builtProgram('packages/hub/test/store/searching-child.ts');
    for (let round = 0; round < 3; round += 1) {
      const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
      // It has found something, and goes on.
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await using(file, async (store) => {
      const { last } = await store.record.tail('a', 1);
      const found = new Set<number>();
      for (let after: string | undefined; ; ) {
        const page = await store.search.find({ words: 'apple', limit: 100, ...(after ? { after } : {}) });
        if (!page.isComplete) continue;
        for (const { seq } of page.items) {
          expect(found.has(seq)).toBe(false);
          found.add(seq);
        }
        if (page.next === undefined) break;
        after = page.next;
      }
      expect(found.size).toBe(last);
    });
  });
});
