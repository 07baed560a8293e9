import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/store/commit.ts';
import { ANN, newSession, sampleAppend, sampleTexts, wholeRecord } from './sample-record.ts';
import type { OpenedStore } from './store-contract.ts';

export function describeCommits(store: OpenedStore): void {
  const openPermission = (session: string, requestId: string) =>
    ({ kind: 'open-permission', session, requestId, request: {} }) satisfies Effect;

  describe('commits', () => {
    it('[LOG40] stores effects with lines: all of it, or nothing', async () => {
      const { commit, permissions, record } = store();
      const session = await newSession(store());
      const { appended, results } = await commit({
        appends: [sampleAppend(session, 1, 1)],
        effects: [openPermission(session, 'q1')],
      });
      expect(appended).toMatchObject([{ first: 1, count: 1 }]);
      expect(results).toMatchObject([{ requestId: 'q1', state: 'open' }]);
      expect(await permissions.get(session, 'q1')).toMatchObject({ state: 'open' });
      const refused = commit({
        appends: [sampleAppend('nobody', 1, 1)],
        effects: [openPermission(session, 'q2')],
      });
      await expect(refused).rejects.toMatchObject({ code: 'STORE_SESSION_NOT_FOUND' });
      expect(await permissions.get(session, 'q2')).toBeUndefined();
      const halfRefused = commit({
        appends: [sampleAppend(session, 2, 2)],
        effects: [openPermission(session, 'q3'), { kind: 'cancel-prompt', id: 'unknown' }],
      });
      await expect(halfRefused).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
      expect(await permissions.get(session, 'q3')).toBeUndefined();
      expect((await record.tail(session)).last).toBe(1);
    });

    it('[LOG1000] a commit that is refused half way takes back nothing of those at the same time', async () => {
      const { commit, permissions, sessions } = store();
      const [session, kept] = await Promise.all([newSession(store()), newSession(store())]);
      const outcomes = await Promise.allSettled([
        commit({ appends: [sampleAppend(kept, 1, 3)] }),
        commit({
          effects: [
            { kind: 'remove-session', session },
            { kind: 'cancel-prompt', id: 'unknown' },
          ],
        }),
        commit({ appends: [sampleAppend(kept, 4, 5)], effects: [openPermission(kept, 'q')] }),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await sessions.get(session)).toMatchObject({ id: session });
      expect(await wholeRecord(store(), kept)).toEqual(sampleTexts(1, 5));
      expect(await permissions.get(kept, 'q')).toMatchObject({ state: 'open' });
    });

    it('[LOG1001] effects are carried out in their order, and each gives its result', async () => {
      const { commit, audit, devices, inbox } = store();
      const session = crypto.randomUUID();
      const id = crypto.randomUUID();
      const decision = { session, subject: id, author: ANN, what: 'add device', why: null };
      const { results } = await commit({
        effects: [
          { kind: 'create-session', session, facts: { title: 'old' } },
          { kind: 'update-session', session, facts: { title: 'new' }, updatedAt: 5 },
          { kind: 'add-device', grant: { person: 'Ann', name: 'pad', scope: 'watch', session }, id },
          { kind: 'audit', decision },
        ],
      });
      const [created, updated, { device, token }, entry] = results;
      expect([created.title, updated.title, updated.updatedAt, device.id]).toEqual(['old', 'new', 5, id]);
      expect(await devices.authenticate(token)).toMatchObject({ id });
      expect((await audit.list({ session })).items).toEqual([entry]);
      const prompt = await inbox.admit({
        session,
        clientId: 'p',
        author: ANN,
        content: 'a',
        delivery: 'queue',
      });
      const changed = await commit({
        effects: [
          { kind: 'edit-prompt', id: prompt.id, change: { content: 'b' } },
          { kind: 'cancel-prompt', id: prompt.id },
          { kind: 'revoke-device', id },
        ],
      });
      expect(changed.results).toMatchObject([{ content: 'b' }, { state: 'cancelled' }, { id }]);
      expect(await devices.authenticate(token)).toBeUndefined();
      await commit({ effects: [{ kind: 'remove-session', session }] });
      expect(await store().sessions.get(session)).toBeUndefined();
    });

    it('[LOG1002] refuses the commits of an owner that has lost its session, and no others', async () => {
      const { commit, generation, permissions } = store();
      const [session, other] = await Promise.all([newSession(store()), newSession(store())]);
      const lost = { code: 'STORE_SESSION_LOST' };
      await commit({ appends: [sampleAppend(session, 1, 1)], generation });
      await commit({ appends: [sampleAppend(other, 1, 1)], generation });
      await commit({ appends: [sampleAppend(session, 2, 2)], generation: generation + 1 });
      const late = { effects: [openPermission(session, 'q')], generation };
      await expect(commit(late)).rejects.toMatchObject(lost);
      const both = { appends: [sampleAppend(other, 2, 2), sampleAppend(session, 3, 3)], generation };
      await expect(commit(both)).rejects.toMatchObject(lost);
      expect(await permissions.get(session, 'q')).toBeUndefined();
      await commit({ appends: [sampleAppend(other, 2, 2)], generation });
      await commit({ appends: [sampleAppend(session, 3, 3)], generation: generation + 1 });
      // One who does not say whose it is does not take it over.
      await commit({ appends: [sampleAppend(session, 4, 4)] });
      await expect(commit(late)).rejects.toMatchObject(lost);
      expect(await wholeRecord(store(), session)).toEqual(sampleTexts(1, 4));
      expect(await wholeRecord(store(), other)).toEqual(sampleTexts(1, 2));
    });
  });
}
