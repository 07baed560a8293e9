import { call, startTestHub } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { SmallDisk } from './small-disk.ts';

describe('GET /api/backup', () => {
  it('[AP1997] is refused where there is no room, and the hub goes on; the audit log has who made one', async () => {
    const disk = await SmallDisk.start();
    await disk.fill();
    expect(await disk.call('GET', '/api/backup')).toMatchObject({
      status: 507,
      body: { code: 'STORE_FULL' },
    });
    await disk.free();
    const backup = await fetch(`${disk.url}/api/backup`, {
      headers: { authorization: `Bearer ${disk.token}` },
    });
    expect(backup.headers.get('content-type')).toBe('application/vnd.sqlite3');
    expect(Buffer.from(await backup.arrayBuffer()).toString('latin1', 0, 15)).toBe('SQLite format 3');
    const { items } = (await disk.call('GET', '/api/audit')).body;
    expect(items.filter(({ what }: { what: string }) => what === 'back up')).toHaveLength(1);
    const inMemory = await startTestHub();
    expect(await call(inMemory.hub.url, inMemory.token, 'GET', '/api/backup')).toMatchObject({
      status: 501,
      body: { code: 'BACKUP_UNAVAILABLE' },
    });
  });
});
