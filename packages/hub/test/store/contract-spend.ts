import { LIMITS } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import type { StoredBudget } from '../../src/store/budget.ts';
import type { SpendRow } from '../../src/store/spend.ts';
import { ANN, newSession } from './sample-record.ts';
import type { OpenedStore } from './store-contract.ts';

function row(change: Partial<SpendRow> = {}): SpendRow {
  const place = { day: '2026-11-18', folder: '/p', model: 'm', person: 'Ann', turns: 0 };
  return { ...place, usd: 0.5, input: 10, output: 5, cacheWrite: 2, cacheRead: 100, ...change };
}

function budget(change: Partial<StoredBudget> = {}): StoredBudget {
  const limits = { usd: 5, tokens: null, per: 'total' } as const;
  const facts = { session: null, folder: null, author: ANN, createdAt: 1, ...limits };
  return { id: crypto.randomUUID(), ...facts, ...change };
}

/** How spend is counted, and budgets are kept. */
export function describeSpend(store: OpenedStore): void {
  describe('spend', () => {
    const line = (number: number, rows: SpendRow[], meter = {}) => ({
      bytes: Buffer.from(`{"n":${number}}`),
      number,
      spend: { rows, meter },
    });
    const append = async (session: string, lines: ReturnType<typeof line>[], count: number) =>
      store().commit({
        appends: [{ session, author: { by: 'agent' }, lines, position: { epoch: 'e', count } }],
      });

    it('[LOG1950] counts what a line has cost once, with the line: one that comes again costs nothing', async () => {
      const session = await newSession(store());
      const { spend } = store();
      await append(session, [line(1, [row()], { at: 1 }), line(2, [row({ turns: 1 })], { at: 2 })], 2);
      await append(session, [line(2, [row()], { at: 2 }), line(3, [row({ usd: -0.25 })], { at: 3 })], 3);
      const [sum] = await spend.sums({ by: 'session', session });
      expect(sum).toEqual({
        key: session,
        usd: 0.75,
        input: 30,
        output: 15,
        cacheWrite: 6,
        cacheRead: 300,
        turns: 1,
      });
      expect(await spend.meter(session)).toEqual({ at: 3 });
      // More is taken back than there is.
      await append(session, [line(4, [row({ usd: -9 })])], 4);
      expect((await spend.sums({ by: 'session', session }))[0]?.usd).toBe(0);
    });

    it('[LOG1951] sums spend up by day, model, folder and person, also of a session that is gone', async () => {
      const session = await newSession(store());
      const { spend, sessions } = store();
      const folder = `/f-${session}`;
      const below = `${folder}/below`;
      await append(
        session,
        [
          line(1, [row({ folder, model: 'a', day: '2026-11-16' })]),
          line(2, [row({ folder: below, model: 'b', day: '2026-11-17', usd: 2 })]),
          line(3, [row({ folder: `${folder}-beside`, person: null, day: '2026-11-18', usd: 4 })]),
        ],
        3,
      );
      const keys = async (query: Parameters<typeof spend.sums>[0]) =>
        (await spend.sums({ session, ...query })).map(({ key, usd }) => [key, usd]);
      expect(await keys({ by: 'day' })).toEqual([
        ['2026-11-16', 0.5],
        ['2026-11-17', 2],
        ['2026-11-18', 4],
      ]);
      expect(await keys({ by: 'model' })).toEqual([
        ['m', 4],
        ['b', 2],
        ['a', 0.5],
      ]);
      expect(await keys({ by: 'person' })).toEqual([
        [null, 4],
        ['Ann', 2.5],
      ]);
      expect(await keys({ by: 'folder', folder })).toEqual([
        [below, 2],
        [folder, 0.5],
      ]);
      expect(await keys({ by: 'day', since: '2026-11-17', until: '2026-11-17' })).toEqual([
        ['2026-11-17', 2],
      ]);
      const own = (await spend.folders('2026-11-17')).find((one) => one.folder === below);
      expect(own).toEqual({ folder: below, usd: 2, tokens: 17, usdOfDay: 2, tokensOfDay: 17 });
      await sessions.remove(session);
      expect(await spend.meter(session)).toBeUndefined();
      expect(await keys({ by: 'session' })).toEqual([[session, 6.5]]);
    });

    it('[LOG1952] keeps budgets in their order until they or their session are removed; one too many is refused', async () => {
      const { budgets, commit, sessions } = store();
      const session = await newSession(store());
      const [one, two] = [budget(), budget({ session, tokens: 7 })];
      await budgets.keep(one);
      await commit({ effects: [{ kind: 'keep-budget', budget: two }] });
      await budgets.keep({ ...one, usd: 9 });
      const kept = async () => (await budgets.list()).filter(({ id }) => id === one.id || id === two.id);
      expect(await kept()).toEqual([{ ...one, usd: 9 }, two]);
      await expect(budgets.keep(budget({ session: 'nobody' }))).rejects.toMatchObject({
        code: 'STORE_SESSION_NOT_FOUND',
      });
      await sessions.remove(session);
      expect(await kept()).toEqual([{ ...one, usd: 9 }]);
      const left = LIMITS.budgets.most - (await budgets.list()).length;
      const more = Array.from({ length: left }, () => budget());
      await commit({ effects: more.map((each) => ({ kind: 'keep-budget', budget: each }) as const) });
      await expect(budgets.keep(budget())).rejects.toMatchObject({ code: 'STORE_LIMIT' });
      await budgets.keep({ ...one, usd: 1 });
      for (const { id } of [one, ...more]) await budgets.remove(id);
      await expect(budgets.remove(one.id)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    });
  });
}
