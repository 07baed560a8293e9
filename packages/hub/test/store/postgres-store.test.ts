import { HAS_POSTGRES, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { describe, it } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { playHubOn } from './hub-on-store.ts';
import { describeStoreContract } from './store-contract.ts';

const open = async () => openPostgresStore(await (await sharedCluster()).createDatabase());

describe.runIf(HAS_POSTGRES)('PostgreSQL', () => {
  describeStoreContract('PostgreSQL', open);

  it('[LOG2200] a hub runs on it: prompts, questions, answers and cursors', async () => {
    await playHubOn(await open());
  });
});
