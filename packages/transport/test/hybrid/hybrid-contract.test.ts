import type { SeededRandom } from '@signalbox/testing/seeded-random';
import { describeTransportContract } from '../contract.ts';
import { connectHybridPair, type HybridPair } from './hybrid-pair.ts';

describeTransportContract('hybrid, the client on the left', {
  survivesDrops: 'lossless',
  connect: async () => {
    const pair = await connectLossless();
    return { ...endsOf(pair), left: pair.client, right: pair.server };
  },
});

describeTransportContract('hybrid, the client on the right', {
  survivesDrops: 'lossless',
  connect: async () => {
    const pair = await connectLossless();
    return { ...endsOf(pair), left: pair.server, right: pair.client };
  },
});

describeTransportContract('hybrid, without the lossless link', {
  survivesDrops: 'best-effort',
  connect: async () => {
    const pair = await connectHybridPair();
    return { ...endsOf(pair), left: pair.client, right: pair.server };
  },
});

/** The server keeps less than what the contract lets a writer send that nobody reads. */
function connectLossless(): Promise<HybridPair> {
  const outbox = { memoryBytes: 14 * 1024 * 1024 };
  return connectHybridPair({ client: { lossless: true }, server: { lossless: true, outbox } });
}

function endsOf({ cutSockets, cutPosts, cleanup }: HybridPair) {
  const drop = (random: SeededRandom): void => {
    if (random.chance(50)) cutPosts();
    cutSockets();
  };
  return { drop, cleanup };
}
