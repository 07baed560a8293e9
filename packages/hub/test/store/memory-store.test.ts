import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts';
import { describeStoreContract } from './store-contract.ts';

describeStoreContract('memory', openMemoryStore);
