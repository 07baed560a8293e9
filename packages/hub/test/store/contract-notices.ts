import { randomUUID } from 'node:crypto';
import { LIMITS } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import type { NewNotice, StoredTarget } from '../../src/store/notice.ts';
import type { Store } from '../../src/store/store.ts';
import { ANN, newSession } from './sample-record.ts';
import type { OpenedStore } from './store-contract.ts';

export function target(change: Partial<StoredTarget> = {}): StoredTarget {
  const id = randomUUID();
  const url = `https://hooks.example/${id}`;
  return {
    id,
    type: 'webhook',
    name: 'hook',
    address: url,
    kinds: ['asks'],
    session: null,
    mayAnswer: false,
    allowsPrivate: false,
    author: ANN,
    device: null,
    createdAt: 1,
    retired: null,
    url,
    secret: 's',
    token: null,
    keys: null,
    ...change,
  };
}

function notice(session: string | null, change: Partial<NewNotice> = {}): NewNotice {
  const id = randomUUID();
  return { id, session, cause: id, kind: 'finished', requestId: null, title: 't', body: 'b', ...change };
}

/** A question that is open, and a target. */
async function asked(store: Store, state: 'waiting' | 'held' = 'waiting') {
  const session = await newSession(store);
  const to = await store.notices.addTarget(target());
  await store.permissions.open(session, 'r', { subtype: 'can_use_tool' });
  const told = notice(session, { kind: 'asks', requestId: 'r', cause: 'ask:r' });
  const [delivery] = await store.notices.add(told, [{ target: to.id, state }]);
  const stateNow = async () => (await store.notices.list({ session })).items[0]?.deliveries[0];
  const answer = { author: ANN, response: {}, what: 'allow', why: null };
  const end = () => store.permissions.answer(session, 'r', answer);
  const clear = () => store.notices.removeTarget(to.id);
  return { session, told, to, id: delivery?.id ?? '', stateNow, end, clear };
}

/** How notices are kept until they are sent, and what became of them. */
export function describeNotices(store: OpenedStore): void {
  describe('notices', () => {
    it('[LOG1910] keeps a notice in the commit that caused it, once for its cause, or nothing of both', async () => {
      const { notices, commit, record } = store();
      const session = await newSession(store());
      const { id } = await notices.addTarget(target());
      const deliveries = [{ target: id, state: 'waiting' }] as const;
      const told = notice(session, { cause: 'line:7' });
      const appends = [
        { session, author: { by: 'agent' }, lines: [{ bytes: Buffer.from('{"type":"result"}') }] },
      ] as const;
      const { results } = await commit({
        appends,
        effects: [{ kind: 'add-notice', notice: told, deliveries }],
      });
      expect(results[0]).toMatchObject([{ target: id, state: 'waiting', attempts: 0, notice: told }]);
      expect(await notices.add(notice(session, { cause: 'line:7' }), deliveries)).toEqual([]);
      const refused = commit({
        appends,
        effects: [
          { kind: 'add-notice', notice: notice(session), deliveries },
          { kind: 'remove-rule', id: 'nobody' },
        ],
      });
      await expect(refused).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
      expect((await record.tail(session)).last).toBe(1);
      expect((await notices.list({ session })).items).toMatchObject([
        { id: told.id, deliveries: [{ target: id }] },
      ]);
      await notices.removeTarget(id);
    });

    it('[LOG1911] tells what is due and when there is more, and what came of each attempt', async () => {
      const { notices } = store();
      const { id, to, told, stateNow, clear } = await asked(store());
      const due = async (now = Date.now()) =>
        (await notices.due(now, 100)).deliveries.filter((one) => one.target === to.id);
      expect(await due()).toMatchObject([{ id, notice: { id: told.id, title: 't' }, attempts: 0 }]);
      expect((await notices.due(Date.now(), 100, [to.id])).deliveries.map((one) => one.id)).not.toContain(id);
      await notices.begin(id);
      const nextAt = Date.now() + 60_000;
      expect(await notices.settle(id, { state: 'waiting', outcome: 'HTTP 500', nextAt })).toBe('waiting');
      expect(await due()).toEqual([]);
      expect((await notices.due(Date.now(), 100)).next).toBe(nextAt);
      expect(await due(nextAt)).toMatchObject([{ id, attempts: 1 }]);
      await notices.settle(id, { state: 'sent', outcome: 'HTTP 200', nextAt: null });
      expect(await due(nextAt)).toEqual([]);
      expect(await stateNow()).toMatchObject({ state: 'sent', outcome: 'HTTP 200', targetName: 'hook' });
      expect(await notices.settle('nobody', { state: 'sent', outcome: null, nextAt: null })).toBeUndefined();
      await clear();
    });

    it('[LOG1912] a question that is answered takes its notice back in the same commit, and one that may have left is closed', async () => {
      const { notices } = store();
      const unsent = await asked(store());
      await unsent.end();
      expect(await unsent.stateNow()).toMatchObject({ state: 'withdrawn', nextAt: null });
      const held = await asked(store(), 'held');
      await held.end();
      expect(await held.stateNow()).toMatchObject({ state: 'withdrawn' });
      const sent = await asked(store());
      await notices.begin(sent.id);
      await notices.settle(sent.id, { state: 'sent', outcome: null, nextAt: null });
      await sent.end();
      expect(await sent.stateNow()).toMatchObject({ state: 'closing', attempts: 0 });
      const underWay = await asked(store());
      await notices.begin(underWay.id);
      await underWay.end();
      expect(await notices.settle(underWay.id, { state: 'sent', outcome: null, nextAt: null })).toBe(
        'closing',
      );
      const due = (await notices.due(Date.now(), 100)).deliveries.map(({ id }) => id);
      expect(due).toEqual(expect.arrayContaining([sent.id, underWay.id]));
      // Who says once more what was answered long ago tells nobody.
      expect(await notices.add({ ...notice(sent.session), requestId: 'r' }, [])).toEqual([]);
      for (const { clear } of [unsent, held, sent, underWay]) await clear();
    });

    it('[LOG1913] what is held while somebody looks is due when nobody does', async () => {
      const { notices } = store();
      const one = await asked(store(), 'held');
      const other = await asked(store(), 'held');
      expect(await notices.release(one.session)).toBe(1);
      expect(await one.stateNow()).toMatchObject({ state: 'waiting' });
      expect(await other.stateNow()).toMatchObject({ state: 'held' });
      expect(await notices.release()).toBe(1);
      await one.clear();
      await other.clear();
    });

    it('[HB3161] a target for which too many wait fails at once, and takes more when one of them is over', async () => {
      const { notices, commit } = store();
      const session = await newSession(store());
      const [to, other] = [await notices.addTarget(target()), await notices.addTarget(target())];
      const { most } = LIMITS.noticesWaiting;
      const deliveries = [{ target: to.id, state: 'waiting' }] as const;
      const told = Array.from({ length: most }, () => notice(session));
      await commit({
        effects: told.map((one) => ({ kind: 'add-notice', notice: one, deliveries }) as const),
      });
      const [failed, taken] = await notices.add(notice(session), [
        ...deliveries,
        { target: other.id, state: 'waiting' },
      ]);
      expect([failed?.state, taken?.state]).toEqual(['failed', 'waiting']);
      expect(await notices.add(notice(session), deliveries)).toMatchObject([{ state: 'failed' }]);
      const [first] = (await notices.due(Date.now(), 1, [other.id])).deliveries;
      await notices.settle(first?.id ?? '', { state: 'sent', outcome: null, nextAt: null });
      expect(await notices.add(notice(session), deliveries)).toMatchObject([{ state: 'waiting' }]);
      expect(await notices.add(notice(session), deliveries)).toMatchObject([{ state: 'failed' }]);
      for (const { id } of [to, other]) await notices.removeTarget(id);
    });

    it('[LOG1914] a target that is gone fails what waits for it; one that is removed takes its outcomes along, and so does a session', async () => {
      const { notices, sessions, commit } = store();
      const { to, stateNow, session, told } = await asked(store());
      expect(await notices.retireTarget(to.id, 'HTTP 410')).toMatchObject({ retired: { why: 'HTTP 410' } });
      expect(await stateNow()).toMatchObject({ state: 'failed', outcome: 'HTTP 410' });
      const granted = {
        id: randomUUID(),
        hash: '00',
        session,
        requestId: 'r',
        digest: '11',
        target: to.id,
        notice: told.id,
        expiresAt: Date.now() + 1000,
      };
      await notices.grant(granted);
      expect(await notices.capability(granted.id)).toEqual(granted);
      expect(
        (await commit({ effects: [{ kind: 'remove-notice-target', id: to.id }] })).results,
      ).toMatchObject([{ id: to.id }]);
      expect(await stateNow()).toBeUndefined();
      expect(await notices.capability(granted.id)).toBeUndefined();
      await expect(notices.removeTarget(to.id)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
      const own = await notices.addTarget(target({ session }));
      await sessions.remove(session);
      expect((await notices.targets()).map(({ id }) => id)).not.toContain(own.id);
      expect((await notices.list({ session })).items).toEqual([]);
      await expect(notices.addTarget(target({ session }))).rejects.toMatchObject({
        code: 'STORE_SESSION_NOT_FOUND',
      });
    });

    it('[LOG1915] takes as many targets as a hub may have; a push subscription is there once', async () => {
      const { notices, commit } = store();
      const push = { type: 'push', url: 'https://push.example/1' } as const;
      const first = await notices.addTarget(target(push));
      const again = await notices.addTarget(target(push));
      const before = await notices.targets();
      expect(before.map(({ id }) => id)).not.toContain(first.id);
      expect(before).toContainEqual(again);
      const more = Array.from({ length: LIMITS.noticeTargets.most - before.length }, () => target());
      await commit({ effects: more.map((one) => ({ kind: 'add-notice-target', target: one }) as const) });
      await expect(notices.addTarget(target())).rejects.toMatchObject({ code: 'STORE_LIMIT' });
      for (const { id } of [...more, again]) await notices.removeTarget(id);
    });

    it('[LOG1916] lists notices newest first and page by page, those of a session or of some targets', async () => {
      const { notices } = store();
      const session = await newSession(store());
      const [one, two] = [await notices.addTarget(target()), await notices.addTarget(target())];
      const all = [notice(session), notice(session), notice(session)];
      for (const [at, each] of all.entries())
        await notices.add(each, [{ target: at === 1 ? two.id : one.id, state: 'quiet', outcome: 'seen' }]);
      const first = await notices.list({ session, limit: 2 });
      expect(first.items.map(({ id }) => id)).toEqual([all[2]?.id, all[1]?.id]);
      const { next = '' } = first;
      expect((await notices.list({ session, limit: 2, after: next })).items).toMatchObject([
        { id: all[0]?.id },
      ]);
      const some = await notices.list({ targets: [two.id] });
      expect(some.items).toMatchObject([
        { id: all[1]?.id, deliveries: [{ state: 'quiet', outcome: 'seen' }] },
      ]);
      await notices.prune(Date.now());
      expect((await notices.list({ session })).items).toHaveLength(3);
      await notices.removeTarget(one.id);
      await notices.removeTarget(two.id);
    });
  });
}
