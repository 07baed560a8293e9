import { openPlainMemoryStore } from '@signalbox/testing';
import { it } from 'vitest';
import { playHubOn } from './hub-on-store.ts';
import { describeStoreContract } from './store-contract.ts';

describeStoreContract('maps and lists', openPlainMemoryStore);

it('[LOG1003] a hub runs on another store than SQLite: prompts, questions, answers and cursors', async () => {
  await playHubOn(await openPlainMemoryStore());
});
