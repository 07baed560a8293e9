import type { Session } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import { ANN, append, newSession, sampleAppend } from './sample-record.ts';
import type { OpenedStore } from './store-contract.ts';

export function describeSessions(store: OpenedStore): void {
  describe('sessions', () => {
    it('[LOG9] creates, shows and updates a session', async () => {
      const { sessions } = store();
      const id = crypto.randomUUID();
      const created = await sessions.create(id, { folder: '/project', agent: 'claude' });
      expect(created).toMatchObject({
        id,
        state: 'starting',
        folder: '/project',
        agent: 'claude',
        title: null,
      });
      const exit = { code: 1, signal: null, stderr: 'no key' };
      await sessions.update(id, { title: 'Fix it', state: 'active' });
      const updated = await sessions.update(id, { state: 'exited', exit });
      expect(updated).toMatchObject({ title: 'Fix it', state: 'exited', exit, folder: '/project' });
      expect(updated.updatedAt).toBeGreaterThanOrEqual(created.createdAt);
      expect(await sessions.get(id)).toEqual(updated);
      expect((await sessions.update(id, { state: 'idle' }, created.createdAt)).updatedAt).toBe(
        created.createdAt,
      );
      expect(await sessions.get('nobody')).toBeUndefined();
      await expect(sessions.create(id)).rejects.toMatchObject({ code: 'STORE_SESSION_EXISTS' });
      await expect(sessions.update('nobody', {})).rejects.toMatchObject({ code: 'STORE_SESSION_NOT_FOUND' });
    });

    it('[LOG10] lists sessions page by page, newest first, by state', async () => {
      const { sessions } = store();
      const ids: string[] = Array.from({ length: 7 }, () => crypto.randomUUID());
      for (const [index, id] of ids.entries())
        await sessions.create(id, { state: index % 2 === 0 ? 'asking' : 'idle' });
      const seen: Session[] = [];
      let after: string | undefined;
      do {
        const page = await sessions.list({
          limit: 2,
          states: ['asking'],
          ...(after === undefined ? {} : { after }),
        });
        expect(page.items.length).toBeLessThanOrEqual(2);
        seen.push(...page.items);
        after = page.next;
      } while (after !== undefined);
      expect(seen.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(
        ids.filter((_, index) => index % 2 === 0).toReversed(),
      );
      expect((await sessions.list()).items.slice(0, 7).map(({ id }) => id)).toEqual(ids.toReversed());
      await expect(sessions.list({ after: 'x' })).rejects.toMatchObject({ code: 'STORE_ARGUMENT' });
      await expect(sessions.list({ limit: 0 })).rejects.toMatchObject({ code: 'STORE_ARGUMENT' });
    });

    it('[LOG11] removes a session with all that belongs to it, and keeps the audit log', async () => {
      const { sessions, record, inbox, permissions, audit } = store();
      const [id, other] = await Promise.all([newSession(store()), newSession(store())]);
      // Enough to lie in more than one place of a store.
      await append(store(), [sampleAppend(id, 1, 2000, 100), sampleAppend(other, 1, 5)]);
      await append(store(), [sampleAppend(id, 2001, 2001)]);
      const { id: prompt } = await inbox.admit({
        session: id,
        clientId: 'a',
        author: ANN,
        content: 'x',
        delivery: 'queue',
      });
      await permissions.open(id, 'r', {});
      await permissions.answer(id, 'r', { author: ANN, response: {}, what: 'deny', why: null });
      await sessions.remove(id);
      expect(await sessions.get(id)).toBeUndefined();
      await expect(record.tail(id)).rejects.toMatchObject({ code: 'STORE_SESSION_NOT_FOUND' });
      expect(await inbox.get(prompt)).toBeUndefined();
      expect(await permissions.get(id, 'r')).toBeUndefined();
      expect((await audit.list({ session: id })).items).toHaveLength(1);
      expect((await record.tail(other)).last).toBe(5);
      await sessions.create(id);
      await append(store(), [sampleAppend(id, 1, 1)]);
      expect((await record.tail(id)).last).toBe(1);
      await expect(sessions.remove('nobody')).rejects.toMatchObject({ code: 'STORE_SESSION_NOT_FOUND' });
    });
  });
}
