import { newLoop } from '@signalbox/protocol/loop';
import { describe, expect, it } from 'vitest';
import type { StoredIteration, StoredLoop } from '../../src/store/loop.ts';
import type { OpenedStore } from './store-contract.ts';

export function sampleLoop(change: Partial<StoredLoop> = {}): StoredLoop {
  return {
    ...newLoop(),
    id: crypto.randomUUID(),
    spec: {
      title: 'mend the tests',
      prompt: 'mend the tests',
      promptFile: null,
      maxIterations: 10,
      launch: { agent: 'scripted', folder: '/project' },
      keepSession: false,
      allowAll: false,
    },
    author: { by: 'person', name: 'Zoe', device: 'laptop', deviceId: 'd' },
    version: 1,
    changes: null,
    base: null,
    createdAt: 1,
    updatedAt: 1,
    ...change,
  };
}

export function sampleIteration(number: number, change: Partial<StoredIteration> = {}): StoredIteration {
  return {
    number,
    session: `s${number}`,
    step: 'turn',
    startedAt: 2,
    endedAt: null,
    how: null,
    text: '',
    turns: 0,
    costUsd: 0,
    check: null,
    changes: null,
    prompt: 'mend the tests',
    promptId: 'p',
    author: { by: 'hub' },
    base: { head: null, tree: 'abc' },
    ...change,
  };
}

/** How loops are kept. */
export function describeLoops(store: OpenedStore): void {
  describe('loops', () => {
    it('[LP1157] keeps a loop with its newest iteration in one commit, and forgets both together', async () => {
      const { loops } = store();
      const loop = sampleLoop();
      await loops.create(loop);
      await expect(loops.create(loop)).rejects.toMatchObject({ code: 'LOOP_EXISTS' });
      expect(await loops.get(loop.id)).toEqual({ loop, iteration: null });
      const begun = { ...loop, step: 'turn' as const, iteration: 1, version: 2 };
      await loops.save(begun, sampleIteration(1));
      await loops.save({ ...begun, version: 3 }, sampleIteration(1, { step: 'over', how: 'well' }));
      await loops.save({ ...begun, iteration: 2, version: 4 }, sampleIteration(2));
      await loops.save({ ...begun, iteration: 2, version: 5, state: 'pausing' });
      expect(await loops.get(loop.id)).toMatchObject({
        loop: { iteration: 2, version: 5, state: 'pausing' },
        iteration: { number: 2, prompt: 'mend the tests', base: { tree: 'abc' } },
      });
      const { items, next } = await loops.iterations(loop.id, { limit: 1 });
      expect(items).toEqual([sampleIteration(2)]);
      const rest = await loops.iterations(loop.id, { after: next ?? '' });
      expect(rest.items).toEqual([sampleIteration(1, { step: 'over', how: 'well' })]);
      await loops.remove(loop.id);
      expect(await loops.get(loop.id)).toBeUndefined();
      expect(await loops.iterations(loop.id)).toEqual({ items: [] });
      await expect(loops.save(begun)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    });

    it('[LP1157] lists loops newest first, by their state and page by page', async () => {
      const { loops } = store();
      const made = [
        sampleLoop(),
        sampleLoop({ state: 'paused' }),
        sampleLoop({ state: 'ended', end: 'done' }),
      ];
      for (const loop of made) await loops.create(loop);
      const ids = made.map(({ id }) => id).toReversed();
      const { items } = await loops.list();
      expect(items.map(({ loop }) => loop.id).slice(0, 3)).toEqual(ids);
      const first = await loops.list({ limit: 1 });
      const second = await loops.list({ limit: 1, after: first.next ?? '' });
      expect([...first.items, ...second.items].map(({ loop }) => loop.id)).toEqual(ids.slice(0, 2));
      const alive = await loops.list({ states: ['running', 'paused'] });
      expect(alive.items.map(({ loop }) => loop.id).slice(0, 2)).toEqual(ids.slice(1));
    });
  });
}
