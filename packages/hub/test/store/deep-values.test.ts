import { join } from 'node:path';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

/** Past the limits of the doors: no door lets this through. */
function deepObject(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

describe("the store's thread", () => {
  it('[LOG300] a value that cannot travel fails its own call, and everything else goes on', async () => {
    const file = join(temporaryFolder(), 'hub.db');
    const store = await openSqliteStore(file);
    await store.sessions.create('s');
    for (const levels of [500, 1000, 2000, 3000, 5000, 20_000, 1_000_000]) {
      const deep = store.permissions.open('s', `deep-${levels}`, deepObject(levels)).then(
        () => 'stored',
        ({ code }: { code: string }) => code,
      );
      const flat = [1, 2, 3].map((n) => store.permissions.open('s', `flat-${levels}-${n}`, { n }));
      for (const { state } of await Promise.all(flat)) expect(state).toBe('open');
      expect(['stored', 'STORE_UNSENDABLE', 'STORE_UNREADABLE', 'STORE_FAILED']).toContain(await deep);
      if (levels >= 20_000) expect(await deep).toBe('STORE_UNSENDABLE');
      expect((await store.permissions.get('s', `flat-${levels}-1`))?.state).toBe('open');
    }
    await store.close();
    const again = await openSqliteStore(file);
    const { items } = await again.permissions.listOpen({ session: 's', limit: 500 });
    expect(items.filter(({ requestId }) => requestId.startsWith('flat-'))).toHaveLength(21);
    await again.close();
  });
});
