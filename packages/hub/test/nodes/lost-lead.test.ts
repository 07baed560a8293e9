import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runUp, UP } from '@signalbox/testing/hub/run-up';
import { HAS_POSTGRES, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { TestViewer } from '../live/test-viewer.ts';

describe.runIf(HAS_POSTGRES)('a hub that does not lead any more', () => {
  it('[NO3026] says so, lets go of all that is connected, and ends', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    const home = mkdtempSync(join(tmpdir(), 'signalbox-lost-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const hub = runUp(['env', `SIGNALBOX_DATABASE=${url}`, ...UP], home);
    await expect.poll(hub.output).toContain('is up at');
    const [, address = ''] = /is up at (\S+)/.exec(hub.output()) ?? [];
    const token = readFileSync(join(home, 'token'), 'utf8').trim();
    const viewer = await TestViewer.connect(address, token);
    expect(await viewer.ask({ type: 'subscribe', session: 'nobody' })).toMatchObject({ type: 'error' });
    hub.child.kill('SIGSTOP');
    await cluster.query(url, "UPDATE signalbox.lead SET until = clock_timestamp() - interval '1 second'");
    const other = await openPostgresStore(url);
    onTestFinished(() => other.close());
    hub.child.kill('SIGCONT');
    const [code] = await hub.exited;
    expect(code).toBe(1);
    expect(hub.errors()).toContain('Another node leads');
    await expect.poll(() => viewer.closed).toBeDefined();
  });
});
