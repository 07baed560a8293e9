import type { SessionUpdate } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { OpenedStore } from './store-contract.ts';

const AGENT = { by: 'agent' } as const;

/** All updates after a position, page by page. */
async function updatesAfter(
  { updates }: Store,
  position: number,
  limit?: number,
): Promise<{ items: SessionUpdate[]; position: number }> {
  const items: SessionUpdate[] = [];
  for (let from = position; ; ) {
    const page = await updates.after(from, limit);
    expect(page.state).toBe('updates');
    items.push(...page.items);
    if (page.isComplete) return { items, position: page.position };
    expect(page.position).toBeGreaterThan(from);
    from = page.position;
  }
}

/** How the updates of all sessions are followed. */
export function describeUpdates(store: OpenedStore): void {
  const say = (session: string, ...lines: string[]) =>
    store().commit({
      appends: [{ session, author: AGENT, lines: lines.map((line) => ({ bytes: Buffer.from(line) })) }],
    });

  describe('updates', () => {
    it('[LOG1560] have one order across sessions: whoever goes on after a position hears of each session that changed, once', async () => {
      const { sessions } = store();
      const [a, b, c] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
      const { position: start } = await updatesAfter(store(), 0);
      for (const id of [a, b, c]) await sessions.create(id);
      const made = await updatesAfter(store(), start);
      expect(made.items.map(({ session }) => session)).toEqual([a, b, c]);
      await say(b, 'one', 'two');
      await sessions.update(a, { title: 'named' });
      await say(b, 'three');
      const { items, position } = await updatesAfter(store(), made.position);
      expect(items).toMatchObject([
        { kind: 'updated', session: a, last: 0 },
        { kind: 'updated', session: b, last: 3 },
      ]);
      expect((await updatesAfter(store(), position)).items).toEqual([]);
      // From the beginning it is the same, whatever the pages are cut to.
      const whole = await updatesAfter(store(), start);
      expect(whole.items.map(({ session }) => session)).toEqual([c, a, b]);
      expect((await updatesAfter(store(), start, 1)).items).toEqual(whole.items);
      expect((await updatesAfter(store(), start, 2)).items).toEqual(whole.items);
    });

    it('[LOG1561] tell of removals, and of imports when they are whole; what was refused has changed nothing', async () => {
      const { sessions, commit } = store();
      const [gone, imported] = [crypto.randomUUID(), crypto.randomUUID()];
      const { position: start } = await updatesAfter(store(), 0);
      await sessions.create(gone);
      await say(gone, 'one');
      await sessions.beginImport(imported);
      await say(imported, 'one');
      expect((await updatesAfter(store(), start)).items).toMatchObject([{ kind: 'updated', session: gone }]);
      await sessions.remove(gone);
      await sessions.endImport(imported, {});
      const { items, position } = await updatesAfter(store(), start);
      expect(items).toMatchObject([
        { kind: 'removed', session: gone },
        { kind: 'updated', session: imported, last: 1 },
      ]);
      const refused = commit({
        appends: [{ session: imported, author: AGENT, lines: [{ bytes: Buffer.from('two') }] }],
        effects: [
          { kind: 'update-session', session: imported, facts: { title: 'named' } },
          { kind: 'cancel-prompt', id: 'nobody has this one' },
        ],
      });
      await expect(refused).rejects.toThrow();
      expect((await updatesAfter(store(), position)).items).toEqual([]);
      // One who was removed and is there again is told as both, in this order.
      await sessions.create(gone);
      const again = (await updatesAfter(store(), start)).items.filter(({ session }) => session === gone);
      expect(again.map(({ kind }) => kind)).toEqual(['removed', 'updated']);
    });

    it('[LOG1562] that are ahead of the store are those of another one, and what is no position is refused', async () => {
      const { updates } = store();
      const { position } = await updatesAfter(store(), 0);
      const ahead = await updates.after(position + 1000);
      expect(ahead).toEqual({ state: 'reset', items: [], position: 0, isComplete: false });
      for (const wrong of [-1, 1.5, Number.NaN])
        await expect(updates.after(wrong)).rejects.toMatchObject({ code: 'STORE_ARGUMENT' });
      await expect(updates.after(0, 0)).rejects.toMatchObject({ code: 'STORE_ARGUMENT' });
    });

    it('[LOG1563] are told to those who listen, once they are durable', async () => {
      const { updates, sessions } = store();
      const id = crypto.randomUUID();
      await sessions.create(id);
      const { position } = await updatesAfter(store(), 0);
      const heard = new Promise<SessionUpdate[]>((resolve) => {
        const stop = updates.onUpdate(() => {
          stop();
          resolve(updatesAfter(store(), position).then(({ items }) => items));
        });
      });
      await say(id, 'one');
      expect(await heard).toMatchObject([{ kind: 'updated', session: id, last: 1 }]);
    });
  });
}
