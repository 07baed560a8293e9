import { LIMITS } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import type { StoredComment } from '../../src/store/comment.ts';
import type { OpenedStore } from './store-contract.ts';

function comment(id: string): StoredComment {
  return {
    id,
    path: 'a.ts',
    side: 'new',
    line: 3,
    quote: 'const a = 1;',
    hash: 'h',
    base: 'head',
    baseCommit: null,
    text: `${id} is wrong`,
    author: { by: 'person', name: 'Ada', device: 'laptop' },
    createdAt: 1,
  };
}

/** How comments are kept. */
export function describeComments(store: OpenedStore): void {
  describe('comments', () => {
    it('[LOG1633] keeps comments in their order, up to a limit, until they are sent or the session goes', async () => {
      const { comments, sessions } = store();
      const [id, other] = [crypto.randomUUID(), crypto.randomUUID()];
      const ids = Array.from({ length: LIMITS.changeComments.most }, () => crypto.randomUUID());
      await expect(comments.add(id, comment('x'))).rejects.toMatchObject({ code: 'STORE_SESSION_NOT_FOUND' });
      await sessions.create(id);
      await sessions.create(other);
      for (const one of ids) await comments.add(id, comment(one));
      expect(await comments.list(id)).toEqual(ids.map(comment));
      await expect(comments.add(id, comment(crypto.randomUUID()))).rejects.toMatchObject({
        code: 'STORE_LIMIT',
      });
      await comments.remove(other, ids);
      expect(await comments.list(id)).toHaveLength(ids.length);
      await comments.remove(id, ids.slice(1));
      await comments.remove(id, ids.slice(1));
      expect(await comments.list(id)).toEqual([comment(ids[0] ?? '')]);
      await sessions.remove(id);
      expect(await comments.list(id)).toEqual([]);
    });
  });
}
