import { createMemoryPair } from '../../src/memory/memory-pair.ts';
import { describeTransportContract } from '../contract.ts';

describeTransportContract('memory pair', {
  maxBytesUnderWay: 4 * 1024 * 1024,
  connect: async () => {
    const { left, right } = createMemoryPair();
    return { left, right, cleanup: async () => left.close() };
  },
});
