import type { Store } from '../store/store.ts';

/** Close what agents asked that are gone: a hub that was killed just then has not come to it. */
export async function expireLeftAsks({ permissions, sessions }: Store): Promise<void> {
  let after: string | undefined;
  do {
    const page = await permissions.listOpen(after === undefined ? {} : { after });
    for (const { session, requestId } of page.items) {
      const asker = await sessions.get(session);
      if (asker?.state === 'exited') await permissions.close(session, requestId, 'expired');
    }
    after = page.next;
  } while (after !== undefined);
}
