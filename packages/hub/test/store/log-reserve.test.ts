import { randomBytes } from 'node:crypto';
import { existsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { LogReserve } from '../../src/store/sqlite/log-reserve.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { AGENT, append, newSession } from './sample-record.ts';

const MIB = 1024 * 1024;

describe('the log of a database', () => {
  it('[LOG37] is longer than what was written to it, and is gone when the store is closed', async () => {
    const file = `${temporaryFolder()}/hub.db`;
    const store = await openSqliteStore(file);
    const atFirst = statSync(`${file}-wal`).size;
    expect(atFirst).toBeGreaterThanOrEqual(MIB);
    const session = await newSession(store);
    for (let number = 1; number <= 40; number += 1)
      await append(store, [{ session, author: AGENT, lines: [{ bytes: noise(100_000), number }] }]);
    expect(statSync(`${file}-wal`).size).toBeGreaterThanOrEqual(2 * atFirst);
    await store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('[LOG37] doubles up to its limit, and one that was left behind by a kill is not made any longer', () => {
    const file = `${temporaryFolder()}/hub.db`;
    const size = (): number => statSync(`${file}-wal`).size;
    writeFileSync(`${file}-wal`, '');
    const reserve = new LogReserve(file, 3.5 * MIB);
    expect(size()).toBe(MIB);
    reserve.keepAhead(1);
    expect(size()).toBe(2 * MIB);
    reserve.keepAhead(MIB);
    expect(size()).toBe(2 * MIB);
    reserve.keepAhead(MIB + 1);
    reserve.keepAhead(3.4 * MIB);
    expect(size()).toBe(3.5 * MIB);
    truncateSync(`${file}-wal`, 3 * MIB);
    const next = new LogReserve(file, 3.5 * MIB);
    expect(size()).toBe(3 * MIB);
    next.keepAhead(2.5 * MIB);
    expect(size()).toBe(3.5 * MIB);
  });

  it('[LOG37] is left as it is where there is little room', () => {
    const file = `${temporaryFolder()}/hub.db`;
    writeFileSync(`${file}-wal`, 'log');
    new LogReserve(file, 1e18).keepAhead(MIB);
    expect(statSync(`${file}-wal`).size).toBe(3);
  });
});

/** A line that does not get shorter when it is compressed. */
function noise(bytes: number): Buffer {
  return Buffer.from(JSON.stringify({ type: 'noise', text: randomBytes(bytes).toString('base64') }));
}
