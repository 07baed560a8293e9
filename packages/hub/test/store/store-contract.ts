import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { describeAccess } from './contract-access.ts';
import { describeInbox } from './contract-inbox.ts';
import { describeLaunches } from './contract-launches.ts';
import { describePermissions } from './contract-permissions.ts';
import { describeRecord } from './contract-record.ts';
import { describeSessionFiles } from './contract-session-files.ts';
import { describeSessions } from './contract-sessions.ts';

/** The store of the suite that runs; each test has sessions of its own in it. */
export type OpenedStore = () => Store;

/** Prove every promise of the {@link Store} contract (docs/SPEC.md, LOG1 to LOG26, LOG38 to LOG40) on one implementation. */
export function describeStoreContract(name: string, open: () => Promise<Store>): void {
  describe(`store contract: ${name}`, () => {
    let store: Store;

    beforeAll(async () => {
      store = await open();
    }, 60_000);

    afterAll(() => store.close());

    describeRecord(() => store);
    describeSessions(() => store);
    describeInbox(() => store);
    describePermissions(() => store);
    describeAccess(() => store);
    describeLaunches(() => store);
    describeSessionFiles(() => store);
  });
}
