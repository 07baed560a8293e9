import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RetentionLimits } from '@signalbox/protocol/hub';
import { call, startTestHub, temporaryFolder, tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHub } from '../../src/hub.ts';
import { KEPT_ENTRIES } from '../../src/service/retention-sweep.ts';
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/store/verify-store.ts';
import { TestViewer } from '../live/test-viewer.ts';

const DAY_MS = 24 * 60 * 60_000;
const OLD = 300;

/** A hub in a home, with a session of old and of new lines. */
async function agedHub(limits: object, padding = 0) {
  const home = temporaryFolder();
  const store = await openSqliteStore(join(home, 'hub.db'));
  onTestFinished(() => store.close());
  const launch = { home, program: [process.execPath], agents: () => [] };
  const hub = await startHub({ store, launch, retention: { read: () => limits } });
  onTestFinished(() => hub.close());
  const token = await tokenFor(store);
  return {
    home,
    store,
    hub,
    token,
    say: (count: number, age: number) => say(store, 'aged', count, age, padding),
  };
}

async function say(
  store: Store,
  session: string,
  count: number,
  age: number,
  padding: number,
): Promise<void> {
  if (!(await store.sessions.get(session))) await store.sessions.create(session, { state: 'exited' });
  const time = Date.now() - age * DAY_MS;
  const lines = Array.from({ length: count }, (_, index) => ({
    bytes: Buffer.from(JSON.stringify({ type: 'x', index, padding: 'x'.repeat(padding) })),
    time,
  }));
  await store.commit({ appends: [{ session, author: { by: 'agent' }, lines }] });
}

describe('retention', () => {
  it('[AP2004] trims what is old, keeps it in a file first that can be imported, and tells viewers where the record begins', async () => {
    const { home, store, hub, token, say: add } = await agedHub({ eventDays: 30 });
    await add(OLD, 31);
    await add(KEPT_ENTRIES, 1);
    const early = await TestViewer.connect(hub.url, token);
    await early.ask({ type: 'subscribe', session: 'aged', cursor: { seq: 0, check: 0 } });
    const [, second] = early.entries;
    const trial = await call(hub.url, token, 'POST', '/api/storage/sweep', { trial: true });
    const range = { session: 'aged', from: 1, to: OLD };
    expect(trial.body).toMatchObject({ isTrial: true, trimmed: [{ ...range, archive: null }] });
    expect((await store.record.tail('aged')).trimmed).toBe(0);
    const { body } = await call(hub.url, token, 'POST', '/api/storage/sweep', {});
    const [{ archive }] = body.trimmed;
    expect(body.trimmed).toEqual([{ ...range, archive: join(home, 'archive', 'aged', `1-${OLD}.jsonl`) }]);
    const events = (query: string) => call(hub.url, token, 'GET', `/api/sessions/aged/events?${query}`);
    expect((await events('from=1&limit=1')).body).toMatchObject({
      trimmed: OLD,
      entries: [{ seq: OLD + 1 }],
    });
    const late = await TestViewer.connect(hub.url, token);
    await late.ask({
      type: 'subscribe',
      session: 'aged',
      cursor: { seq: second?.seq, check: second?.check },
    });
    expect(late.told.find(({ type }) => type === 'reset')).toMatchObject({ reason: 'trimmed' });
    expect(late.told.find(({ type }) => type === 'snapshot')).toMatchObject({ trimmed: OLD });
    expect((await verifyStore(store)).damaged).toEqual([]);
    const imported = await fetch(`${hub.url}/api/sessions/import?id=again`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/jsonl' },
      body: readFileSync(archive),
    });
    expect(imported.status).toBe(201);
    expect((await store.record.window('again', 1)).entries).toHaveLength(OLD);
    expect((await call(hub.url, token, 'GET', '/api/storage')).body).toMatchObject({
      retention: { eventDays: 30 },
      lastSweep: { trimmed: [range] },
      usedBytes: expect.any(Number),
    });
    const { items } = (await call(hub.url, token, 'GET', '/api/audit')).body;
    expect(items[0]).toMatchObject({ what: 'import session' });
    expect(items[1]).toMatchObject({ what: 'take away what is old', subject: expect.stringContaining('1') });
    const metrics = await fetch(`${hub.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(await metrics.text()).toMatch(/^signalbox_storage_used_bytes \d+$/m);
  });

  it('[AP2005] the last entries of a session stay whatever their age; what cannot be kept first is not taken away', async () => {
    const { home, store, hub, token, say: add } = await agedHub({ eventDays: 1 });
    await add(KEPT_ENTRIES, 400);
    const { body } = await call(hub.url, token, 'POST', '/api/storage/sweep', {});
    expect(body.trimmed).toEqual([]);
    await add(10, 400);
    // Somebody else's file in the place of the folder.
    writeFileSync(join(home, 'archive'), '');
    expect(await call(hub.url, token, 'POST', '/api/storage/sweep', {})).toMatchObject({
      status: 507,
      body: { code: 'ARCHIVE_NOT_WRITTEN' },
    });
    expect((await store.record.tail('aged')).trimmed).toBe(0);
    const unkept = { retention: { eventDays: 1, archive: false } };
    expect((await call(hub.url, token, 'POST', '/api/storage/sweep', unkept)).body.trimmed).toEqual([
      { session: 'aged', from: 1, to: 10, archive: null },
    ]);
    for (const wrong of [{ eventDays: 0 }, { eventDays: 'many' }, { yesterday: 1 }])
      expect((await call(hub.url, token, 'POST', '/api/storage/sweep', { retention: wrong })).status).toBe(
        400,
      );
  });

  it('[AP2006] while the database is larger than its limit, the sessions that changed longest ago are trimmed, and no others', async () => {
    const { home, store, hub, token, say: add } = await agedHub({}, 10_000);
    await add(KEPT_ENTRIES + 400, 10);
    await say(store, 'newer', KEPT_ENTRIES + 400, 1, 10_000);
    const full = (await store.retention.size()).usedBytes;
    const { body } = await call(hub.url, token, 'POST', '/api/storage/sweep', {
      retention: { databaseMiB: Math.floor(full / 1024 ** 2) - 2, archive: false },
    });
    expect(body.trimmed.map(({ session }: { session: string }) => session)).toEqual(['aged']);
    expect(body.usedBytes).toBeLessThan(full);
    expect(body.isOverLimit).toBe(false);
    const over = await call(hub.url, token, 'POST', '/api/storage/sweep', {
      retention: { databaseMiB: 1, archive: false },
    });
    expect(over.body).toMatchObject({ isOverLimit: true, trimmed: [{ session: 'newer' }] });
    expect(existsSync(join(home, 'archive'))).toBe(false);
    const memory = await startTestHub();
    expect((await call(memory.hub.url, memory.token, 'POST', '/api/storage/sweep', {})).body.trimmed).toEqual(
      [],
    );
  });

  it('[AP2302] limits are changed by those with admin: a name at a time, null takes one away, and the next sweep goes by them', async () => {
    const store = await openMemoryStore();
    let limits: RetentionLimits = { auditDays: 30, archive: false };
    const settings = {
      read: () => limits,
      write: (next: RetentionLimits) => {
        limits = next;
      },
    };
    const { hub, token } = await startTestHub({ store, retention: settings });
    const change = (retention: unknown, as = token) =>
      call(hub.url, as, 'PATCH', '/api/storage', { retention });
    expect((await change({ eventDays: 30, auditDays: null })).body.retention).toEqual({
      eventDays: 30,
      archive: false,
    });
    await say(store, 'aged', OLD, 31, 0);
    await say(store, 'aged', KEPT_ENTRIES, 1, 0);
    const { body } = await call(hub.url, token, 'POST', '/api/storage/sweep', {});
    expect(body.trimmed).toMatchObject([{ session: 'aged', to: OLD }]);
    for (const wrong of [{ eventDays: 0 }, { eventDays: '9' }, { nothing: 1 }, {}])
      expect(await change(wrong)).toMatchObject({ status: 400, body: { code: 'REQUEST_INVALID' } });
    expect((await change({ eventDays: 1 }, await tokenFor(store, { scope: 'drive' }))).status).toBe(403);
    expect(limits).toEqual({ eventDays: 30, archive: false });
    const { items } = (await call(hub.url, token, 'GET', '/api/audit')).body;
    expect(items.at(-1)).toMatchObject({
      what: 'set retention',
      subject: '{"eventDays":30,"auditDays":null}',
    });
    const fixed = await startTestHub();
    const refused = await call(fixed.hub.url, fixed.token, 'PATCH', '/api/storage', {
      retention: { eventDays: 1 },
    });
    expect(refused).toMatchObject({ status: 501, body: { code: 'SETTINGS_UNAVAILABLE' } });
  });

  it('[LOG2001] what was trimmed stays so after the store was opened again', async () => {
    const file = join(temporaryFolder(), 'hub.db');
    const first = await openSqliteStore(file);
    await say(first, 'aged', 300, 1, 2000);
    await say(first, 'gone', 300, 1, 2000);
    await first.retention.trim('aged', 120);
    await first.retention.trim('gone', 300);
    await first.close();
    const again = await openSqliteStore(file);
    onTestFinished(() => again.close());
    expect(await again.record.window('aged', 1, 1)).toMatchObject({
      last: 300,
      trimmed: 120,
      entries: [{ seq: 121 }],
    });
    await say(again, 'gone', 1, 0, 0);
    expect(await again.record.tail('gone')).toMatchObject({
      last: 301,
      trimmed: 300,
      entries: [{ seq: 301 }],
    });
    expect(await verifyStore(again)).toMatchObject({ entries: 181, damaged: [] });
  });
});
