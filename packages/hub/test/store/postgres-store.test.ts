import { HAS_POSTGRES, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { describe } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { describeStoreContract } from './store-contract.ts';

describe.runIf(HAS_POSTGRES)('[LOG2200] PostgreSQL', () => {
  describeStoreContract('PostgreSQL', async () =>
    openPostgresStore(await (await sharedCluster()).createDatabase()),
  );
});
