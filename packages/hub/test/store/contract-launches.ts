import type { LaunchSpec } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import type { OpenedStore } from './store-contract.ts';

/** How launches are kept. */
export function describeLaunches(store: OpenedStore): void {
  describe('launches', () => {
    it('[LN20] keeps how a session was launched last, until the session goes', async () => {
      const { launches, sessions } = store();
      const id = crypto.randomUUID();
      const spec: LaunchSpec = { agent: 'claude', folder: '/project', env: { KEY: 'secret' } };
      await expect(launches.keep(id, { spec, device: 'd' })).rejects.toMatchObject({
        code: 'STORE_SESSION_NOT_FOUND',
      });
      const session = await sessions.create(id);
      expect(await launches.get(id)).toBeUndefined();
      await launches.keep(id, { spec, device: 'first' });
      await launches.keep(id, { spec, device: 'second' });
      expect(await launches.get(id)).toEqual({ spec, device: 'second' });
      expect(await sessions.get(id)).toEqual(session);
      await sessions.remove(id);
      expect(await launches.get(id)).toBeUndefined();
    });
  });
}
