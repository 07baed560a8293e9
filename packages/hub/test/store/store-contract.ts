import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { describeAccess } from './contract-access.ts';
import { describeComments } from './contract-comments.ts';
import { describeCommits } from './contract-commits.ts';
import { describeInbox } from './contract-inbox.ts';
import { describeLaunches } from './contract-launches.ts';
import { describeLoops } from './contract-loops.ts';
import { describeNotices } from './contract-notices.ts';
import { describePermissions } from './contract-permissions.ts';
import { describeRecord } from './contract-record.ts';
import { describeRetention } from './contract-retention.ts';
import { describeRules } from './contract-rules.ts';
import { describeSearch } from './contract-search.ts';
import { describeSessionFiles } from './contract-session-files.ts';
import { describeSessions } from './contract-sessions.ts';
import { describeSpend } from './contract-spend.ts';
import { describeUpdates } from './contract-updates.ts';

/** The store of the suite that runs; each test has sessions of its own in it. */
export type OpenedStore = () => Store;

/** Prove every promise of the {@link Store} contract (docs/SPEC.md, LOG1 to LOG26, LOG38 to LOG40, LOG1000 to LOG1002, LOG1560 to LOG1563, LOG1700 to LOG1707, LOG1910 to LOG1916) on one implementation. */
export function describeStoreContract(name: string, open: () => Promise<Store>): void {
  describe(`store contract: ${name}`, () => {
    let store: Store;

    beforeAll(async () => {
      store = await open();
    });

    afterAll(() => store.close());

    describeRecord(() => store);
    describeCommits(() => store);
    describeUpdates(() => store);
    describeSessions(() => store);
    describeInbox(() => store);
    describePermissions(() => store);
    describeRules(() => store);
    describeSpend(() => store);
    describeNotices(() => store);
    describeRetention(() => store);
    describeAccess(() => store);
    describeLaunches(() => store);
    describeLoops(() => store);
    describeComments(() => store);
    describeSessionFiles(() => store);
    describeSearch(() => store);
  });
}
