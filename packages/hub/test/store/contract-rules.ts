import { LIMITS } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import type { StoredRule } from '../../src/store/rule.ts';
import { ANN, newSession } from './sample-record.ts';
import type { OpenedStore } from './store-contract.ts';

function rule(change: Partial<StoredRule> = {}): StoredRule {
  const scope = { folder: null, session: null };
  const facts = { rule: 'Bash(npm test:*)', behavior: 'allow', author: ANN, createdAt: 1 } as const;
  return { id: crypto.randomUUID(), ...facts, ...scope, ...change };
}

/** How rules are kept, and what they are compared with. */
export function describeRules(store: OpenedStore): void {
  describe('rules', () => {
    it('[LOG1730] keeps rules in their order, also as part of a commit, until they or their session are removed', async () => {
      const { rules, sessions, commit } = store();
      const session = await newSession(store());
      const [one, two, three] = [rule(), rule({ session, folder: '/p' }), rule({ behavior: 'deny' })];
      expect(await rules.create(one)).toEqual(one);
      expect((await commit({ effects: [{ kind: 'create-rule', rule: two }] })).results).toEqual([two]);
      await rules.create(three);
      const own = new Set([one.id, two.id, three.id]);
      const kept = async () => (await rules.list()).filter(({ id }) => own.has(id));
      expect(await kept()).toEqual([one, two, three]);
      await expect(rules.create(rule({ session: 'nobody' }))).rejects.toMatchObject({
        code: 'STORE_SESSION_NOT_FOUND',
      });
      await sessions.remove(session);
      expect(await kept()).toEqual([one, three]);
      expect((await commit({ effects: [{ kind: 'remove-rule', id: one.id }] })).results).toEqual([one]);
      expect(await rules.remove(three.id)).toEqual(three);
      await expect(rules.remove(three.id)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
      expect(await kept()).toEqual([]);
    });

    it('[LOG1731] takes as many rules as a hub may have, and refuses one more', async () => {
      const { rules, commit } = store();
      const all = Array.from({ length: LIMITS.hubRules.most }, () => rule());
      await commit({ effects: all.map((one) => ({ kind: 'create-rule', rule: one }) as const) });
      await expect(rules.create(rule())).rejects.toMatchObject({ code: 'STORE_LIMIT' });
      expect(await rules.list()).toHaveLength(all.length);
      await commit({ effects: all.map(({ id }) => ({ kind: 'remove-rule', id }) as const) });
    });

    it('[LOG1732] lists all that was ever asked, newest first and page by page, with what came of it', async () => {
      const { permissions } = store();
      const session = await newSession(store());
      const asked = ['r1', 'r2', 'r3', 'r4'];
      for (const id of asked) await permissions.open(session, id, { subtype: 'can_use_tool', id });
      const response = { behavior: 'allow', updatedInput: {} };
      await permissions.answer(session, 'r2', { author: ANN, response, what: 'allow', why: null });
      await permissions.close(session, 'r3', 'withdrawn');
      const first = await permissions.listPast({ limit: 3 });
      expect(first.items).toMatchObject([
        { session, requestId: 'r4', state: 'open', answer: null, request: { id: 'r4' } },
        { session, requestId: 'r3', state: 'withdrawn', answer: null },
        { session, requestId: 'r2', state: 'answered', answer: { author: ANN, what: 'allow' } },
      ]);
      const { next = '' } = first;
      expect((await permissions.listPast({ after: next, limit: 1 })).items).toMatchObject([
        { requestId: 'r1' },
      ]);
    });

    it('[LOG1733] stores the line of an answer only in the commit that gives it', async () => {
      const { commit, record, permissions } = store();
      const session = await newSession(store());
      const answering = async () =>
        commit({
          effects: [
            { kind: 'open-permission', session, requestId: 'r', request: { subtype: 'can_use_tool' } },
            {
              kind: 'answer-permission',
              session,
              requestId: 'r',
              answer: { author: ANN, response: {}, what: 'allow', why: null },
            },
          ],
          appends: [
            { session, author: { by: 'agent' }, lines: [{ bytes: Buffer.from('{"type":"ask"}') }] },
            { session, author: ANN, lines: [{ bytes: Buffer.from('{"type":"answer"}') }], answers: 'r' },
          ],
        });
      expect((await answering()).appended.map(({ count }) => count)).toEqual([1, 1]);
      expect((await answering()).appended.map(({ count }) => count)).toEqual([1, 0]);
      const { entries } = await record.tail(session, 10);
      const types = entries.map((entry) => entry.kind === 'line' && entry.line.head().type);
      expect(types).toEqual(['ask', 'answer', 'ask']);
      expect(await permissions.get(session, 'r')).toMatchObject({ state: 'answered' });
    });
  });
}
