import { LIMITS } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { type NewPrompt } from '../../src/store/prompt.ts';
import { ANN, newSession } from './sample-record.ts';
import type { OpenedStore } from './store-contract.ts';

function promptFor(session: string, clientId: string, delivery: NewPrompt['delivery'] = 'queue'): NewPrompt {
  return { session, clientId, author: ANN, content: `do ${clientId}`, delivery };
}

export function describeInbox(store: OpenedStore): void {
  describe('inbox', () => {
    it('[LOG12] admits a prompt once for its client id, in order, with images', async () => {
      const { inbox } = store();
      const session = await newSession(store());
      const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0K' };
      const content = [
        { type: 'text' as const, text: 'what is this?' },
        { type: 'image' as const, source },
      ];
      const first = await inbox.admit({ ...promptFor(session, 'a'), content });
      expect(first).toMatchObject({
        session,
        clientId: 'a',
        author: ANN,
        content,
        delivery: 'queue',
        state: 'waiting',
      });
      await inbox.admit(promptFor(session, 'b', 'steer'));
      expect(await inbox.admit({ ...promptFor(session, 'a'), content })).toEqual(first);
      const waiting = await inbox.list(session);
      expect(waiting.map(({ clientId, delivery }) => [clientId, delivery])).toEqual([
        ['a', 'queue'],
        ['b', 'steer'],
      ]);
      expect(await inbox.get(first.id)).toEqual(first);
      expect([await inbox.sessionOf(first.id), await inbox.sessionOf('none')]).toEqual([
        first.session,
        undefined,
      ]);
      const other = await newSession(store());
      expect((await inbox.admit(promptFor(other, 'a'))).id).not.toBe(first.id);
      await expect(inbox.admit(promptFor('nobody', 'a'))).rejects.toMatchObject({
        code: 'STORE_SESSION_NOT_FOUND',
      });
    });

    it('[LOG38] refuses a client id that came with other content, or from another author', async () => {
      const { inbox } = store();
      const session = await newSession(store());
      const first = await inbox.admit(promptFor(session, 'a'));
      const others = [{ content: 'do b' }, { author: { ...ANN, device: 'laptop' } }];
      for (const other of others) {
        await expect(inbox.admit({ ...promptFor(session, 'a'), ...other })).rejects.toMatchObject({
          code: 'PROMPT_ID_TAKEN',
        });
      }
      // What counts is what was sent, whatever became of it.
      const edited = await inbox.edit(first.id, { content: 'do b' });
      expect(await inbox.admit(promptFor(session, 'a'))).toEqual(edited);
      await expect(inbox.admit({ ...promptFor(session, 'a'), content: 'do b' })).rejects.toMatchObject({
        code: 'PROMPT_ID_TAKEN',
      });
    });

    it('[CO2350] moves a prompt that waits before another one or behind all, and what comes later stays behind', async () => {
      const { inbox } = store();
      const session = await newSession(store());
      const ids: Record<string, string> = {};
      for (const name of ['a', 'b', 'c']) ids[name] = (await inbox.admit(promptFor(session, name))).id;
      const order = async (): Promise<string> =>
        (await inbox.list(session)).map(({ clientId }) => clientId).join('');
      const move = async (name: string, before: string | null): Promise<string> => {
        await inbox.edit(ids[name] ?? '', { before: before === null ? null : (ids[before] ?? '') });
        return order();
      };
      expect([await move('c', 'a'), await move('a', null), await move('b', 'b').catch(() => 'no')]).toEqual([
        'cab',
        'cba',
        'no',
      ]);
      ids.d = (await inbox.admit(promptFor(session, 'd'))).id;
      expect([await order(), await move('d', 'b'), await move('a', 'd')]).toEqual(['cbad', 'cdba', 'cadb']);
      expect(await inbox.take(session)).toMatchObject({ clientId: 'c', content: 'do c' });
      expect(await move('b', 'a')).toBe('cbad');
      expect(await inbox.take(session)).toMatchObject({ clientId: 'c' });
      await expect(inbox.edit(ids.d ?? '', { before: ids.c ?? '' })).rejects.toMatchObject({
        code: 'STORE_NOT_FOUND',
      });
      // There are only so many numbers between two others: that is said, and moves nothing.
      const squeeze = async (): Promise<void> => {
        for (let times = 0; times < 200; times += 1)
          await move(times % 2 === 0 ? 'd' : 'a', times % 2 === 0 ? 'a' : 'd');
      };
      await expect(squeeze()).rejects.toMatchObject({ code: 'STORE_LIMIT' });
      expect((await order()).split('').toSorted().join('')).toBe('abcd');
    });

    it('[LOG13] lets a prompt be changed and cancelled until it is taken', async () => {
      const { inbox } = store();
      const session = await newSession(store());
      const [a, b] = await Promise.all([
        inbox.admit(promptFor(session, 'a')),
        inbox.admit(promptFor(session, 'b')),
      ]);
      expect(await inbox.edit(a.id, { content: 'better', delivery: 'steer' })).toMatchObject({
        content: 'better',
        delivery: 'steer',
      });
      expect(await inbox.cancel(b.id)).toMatchObject({ state: 'cancelled' });
      expect(await inbox.cancel(b.id)).toMatchObject({ state: 'cancelled' });
      expect(await inbox.take(session)).toMatchObject({ id: a.id, content: 'better' });
      expect((await inbox.list(session)).map(({ id, state }) => [id, state])).toEqual([[a.id, 'taken']]);
      await expect(inbox.edit(a.id, { content: 'late' })).rejects.toMatchObject({
        code: 'PROMPT_NOT_WAITING',
      });
      await expect(inbox.cancel(a.id)).rejects.toMatchObject({ code: 'PROMPT_NOT_WAITING' });
      await expect(inbox.edit(b.id, { content: 'late' })).rejects.toMatchObject({
        code: 'PROMPT_NOT_WAITING',
      });
      await expect(inbox.markDelivered(b.id)).rejects.toMatchObject({ code: 'PROMPT_NOT_WAITING' });
      await expect(inbox.cancel('nothing')).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    });

    it('[LOG14] gives the same prompt until it is marked, and marks it once', async () => {
      const { inbox } = store();
      const session = await newSession(store());
      const a = await inbox.admit(promptFor(session, 'a'));
      const b = await inbox.admit(promptFor(session, 'b'));
      const taken = await Promise.all([inbox.take(session), inbox.take(session)]);
      expect(taken.map((prompt) => prompt?.id)).toEqual([a.id, a.id]);
      const marks = await Promise.all(Array.from({ length: 20 }, () => inbox.markDelivered(a.id)));
      expect(marks.filter(Boolean)).toHaveLength(1);
      expect((await inbox.take(session))?.id).toBe(b.id);
      await inbox.markDelivered(b.id);
      expect(await inbox.take(session)).toBeUndefined();
      expect(await inbox.admit(promptFor(session, 'a'))).toMatchObject({ id: a.id, state: 'delivered' });
    });

    it('[LOG14] gives what steers ahead of the queue to whoever asks for that', async () => {
      const { inbox } = store();
      const session = await newSession(store());
      await inbox.admit(promptFor(session, 'a'));
      const steer = await inbox.admit(promptFor(session, 'b', 'steer'));
      expect((await inbox.take(session, 'steer'))?.id).toBe(steer.id);
      await inbox.markDelivered(steer.id);
      expect(await inbox.take(session, 'steer')).toBeUndefined();
      expect((await inbox.take(session))?.clientId).toBe('a');
    });

    it('[LOG560] a prompt that waits is not changed into one for which there is no room', async () => {
      const { inbox } = store();
      const session = await newSession(store());
      const long = { content: 'x'.repeat(LIMITS.promptBytes.most - 1024) };
      await inbox.admit({ ...promptFor(session, 'a'), ...long });
      const { id: b } = await inbox.admit({ ...promptFor(session, 'b'), ...long });
      const { id: c } = await inbox.admit(promptFor(session, 'c'));
      const longer = { content: 'x'.repeat(4096) };
      await expect(inbox.edit(c, longer)).rejects.toMatchObject({ code: 'STORE_LIMIT' });
      expect((await inbox.edit(c, { content: 'y' })).content).toBe('y');
      await inbox.edit(b, { content: 'short' });
      expect((await inbox.edit(c, longer)).content).toBe(longer.content);
    });

    it('[LOG15] refuses more and longer prompts than its limits', async () => {
      const { inbox } = store();
      const session = await newSession(store());
      const content = 'x'.repeat(LIMITS.promptBytes.most);
      await expect(inbox.admit({ ...promptFor(session, 'long'), content })).rejects.toMatchObject({
        code: 'STORE_LIMIT',
      });
      const all = Array.from({ length: LIMITS.waitingPrompts.most }, (_, index) =>
        inbox.admit(promptFor(session, `${index}`)),
      );
      await Promise.all(all);
      await expect(inbox.admit(promptFor(session, 'one more'))).rejects.toMatchObject({
        code: 'STORE_LIMIT',
      });
      expect((await inbox.admit(promptFor(session, '0'))).clientId).toBe('0');
      expect(await inbox.list(session)).toHaveLength(LIMITS.waitingPrompts.most);
    });
  });
}
