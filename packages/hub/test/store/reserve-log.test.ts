import { existsSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reserveLog } from '../../src/store/sqlite/reserve-log.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { temporaryFolder } from '../server/test-parts.ts';

const MIB = 1024 * 1024;

describe('the log of a database', () => {
  it('[LOG37] has its length from the start, also after a kill, and is gone when the store is closed', async () => {
    const file = `${temporaryFolder()}/hub.db`;
    const store = await openSqliteStore(file);
    const { size } = statSync(`${file}-wal`);
    expect(size).toBeGreaterThan(32 * MIB);
    // A log that was left behind by a kill is not made any longer.
    reserveLog(file, size);
    expect(statSync(`${file}-wal`).size).toBe(size);
    await store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('[LOG37] is left as it is where there is little room', () => {
    const file = `${temporaryFolder()}/hub.db`;
    writeFileSync(`${file}-wal`, 'log');
    reserveLog(file, 1e18);
    expect(statSync(`${file}-wal`).size).toBe(3);
    reserveLog(file, MIB);
    expect(statSync(`${file}-wal`).size).toBe(MIB);
  });
});
