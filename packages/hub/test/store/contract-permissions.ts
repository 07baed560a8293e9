import type { PermissionAnswer } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import { ANN, newSession } from './sample-record.ts';
import type { OpenedStore } from './store-contract.ts';

const REQUEST = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, agent_id: 'sub-1' };
const ALLOW: PermissionAnswer = {
  author: ANN,
  response: { behavior: 'allow' },
  what: 'allow',
  why: 'harmless',
};
const DENY: PermissionAnswer = {
  author: { by: 'person', name: 'Bob', device: 'laptop' },
  response: { behavior: 'deny', message: 'no' },
  what: 'deny',
  why: null,
};

export function describePermissions(store: OpenedStore): void {
  describe('permissions', () => {
    it('[LOG16] opens a request once, and lists the open ones of all sessions', async () => {
      const { permissions } = store();
      const [one, two] = await Promise.all([newSession(store()), newSession(store())]);
      const before = await permissions.countOpen();
      const opened = await permissions.open(one, 'r1', REQUEST);
      expect(opened).toMatchObject({
        session: one,
        requestId: 'r1',
        request: REQUEST,
        state: 'open',
        answer: null,
      });
      expect(await permissions.open(one, 'r1', { other: true })).toEqual(opened);
      await permissions.open(two, 'r1', REQUEST);
      await permissions.open(one, 'r2', REQUEST);
      expect(await permissions.countOpen()).toBe(before + 3);
      const open: string[] = [];
      let after: string | undefined;
      do {
        const page = await permissions.listOpen({ limit: 1, ...(after === undefined ? {} : { after }) });
        open.push(...page.items.map(({ session, requestId }) => `${session} ${requestId}`));
        after = page.next;
      } while (after !== undefined);
      expect(open.filter((name) => name.includes(one) || name.includes(two))).toEqual([
        `${one} r1`,
        `${two} r1`,
        `${one} r2`,
      ]);
      expect((await permissions.listOpen({ session: two })).items).toHaveLength(1);
      await expect(permissions.open('nobody', 'r', {})).rejects.toMatchObject({
        code: 'STORE_SESSION_NOT_FOUND',
      });
    });

    it('[LOG17] keeps the first answer, and gives it to all who come later', async () => {
      const { permissions, audit } = store();
      const session = await newSession(store());
      await permissions.open(session, 'r', REQUEST);
      const answers = await Promise.all([
        permissions.answer(session, 'r', ALLOW),
        ...Array.from({ length: 50 }, () => permissions.answer(session, 'r', DENY)),
      ]);
      expect(answers.map(({ isFirst }) => isFirst)).toEqual(answers.map((_, index) => index === 0));
      for (const { request } of answers) expect(request).toMatchObject({ state: 'answered', answer: ALLOW });
      expect((await audit.list({ session })).items).toHaveLength(1);
      expect((await permissions.listOpen({ session })).items).toEqual([]);
      await expect(permissions.answer(session, 'x', ALLOW)).rejects.toMatchObject({
        code: 'STORE_NOT_FOUND',
      });
    });

    it('[LOG18] closes what is not asked any more, and no answer has an effect then', async () => {
      const { permissions } = store();
      const session = await newSession(store());
      await Promise.all(['r1', 'r2', 'r3'].map((id) => permissions.open(session, id, REQUEST)));
      expect(await permissions.close(session, 'r1', 'withdrawn')).toMatchObject({
        state: 'withdrawn',
        answer: null,
      });
      expect(await permissions.close(session, 'r2', 'expired')).toMatchObject({ state: 'expired' });
      expect(await permissions.close(session, 'r2', 'withdrawn')).toMatchObject({ state: 'expired' });
      const late = await permissions.answer(session, 'r1', ALLOW);
      expect(late).toMatchObject({ isFirst: false, request: { state: 'withdrawn', answer: null } });
      await permissions.answer(session, 'r3', DENY);
      expect(await permissions.close(session, 'r3', 'withdrawn')).toMatchObject({
        state: 'answered',
        answer: DENY,
      });
    });

    it('[LOG19] knows the answers that the agent has not got', async () => {
      const { permissions } = store();
      const session = await newSession(store());
      for (const id of ['r1', 'r2', 'r3']) await permissions.open(session, id, REQUEST);
      await permissions.answer(session, 'r2', ALLOW);
      await permissions.answer(session, 'r1', DENY);
      const undelivered = async (): Promise<string[]> =>
        (await permissions.listUndelivered(session)).map(({ requestId }) => requestId);
      expect(await undelivered()).toEqual(['r1', 'r2']);
      await permissions.markDelivered(session, 'r1');
      expect(await undelivered()).toEqual(['r2']);
      expect(await permissions.get(session, 'r1')).toMatchObject({ isDelivered: true });
      await expect(permissions.markDelivered(session, 'x')).rejects.toMatchObject({
        code: 'STORE_NOT_FOUND',
      });
    });

    it('[LOG20] logs every decision: who, from where, what, why and when', async () => {
      const { permissions, audit } = store();
      const session = await newSession(store());
      const before = Date.now();
      await permissions.open(session, 'r1', REQUEST);
      await permissions.open(session, 'r2', REQUEST);
      await permissions.answer(session, 'r1', ALLOW);
      await permissions.close(session, 'r2', 'withdrawn');
      const own = await audit.add({
        session,
        subject: 'phone',
        author: { by: 'hub' },
        what: 'revoke',
        why: 'lost',
      });
      const first = await audit.list({ session, limit: 2 });
      const rest = await audit.list({ session, ...(first.next === undefined ? {} : { after: first.next }) });
      expect(rest.next).toBeUndefined();
      const entries = [...first.items, ...rest.items];
      expect(entries).toMatchObject([
        own,
        { subject: 'r2', author: { by: 'agent' }, what: 'withdrawn', why: null },
        { subject: 'r1', author: ANN, what: 'allow', why: 'harmless' },
      ]);
      for (const { time } of entries) expect(time).toBeGreaterThanOrEqual(before);
      expect((await audit.list({ limit: 1 })).items).toEqual([own]);
    });
  });
}
