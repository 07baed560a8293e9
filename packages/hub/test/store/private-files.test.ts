import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

describe('the files of the store', () => {
  it('[HB88] are readable by their owner alone, also those that were not', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'hub.db');
    const modes = (): [string, string][] =>
      readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
    const umask = process.umask(0o022);
    try {
      const store = await openSqliteStore(file);
      await store.sessions.create('s');
      expect(modes()).toEqual([
        ['hub.db', '600'],
        ['hub.db-mark', '600'],
        ['hub.db-wal', '600'],
      ]);
      await store.close();
      chmodSync(file, 0o644);
      const again = await openSqliteStore(file);
      await again.sessions.create('t');
      expect(modes()).toContainEqual(['hub.db', '600']);
      expect(modes()).toContainEqual(['hub.db-wal', '600']);
      await again.close();
    } finally {
      process.umask(umask);
    }
  });
});
