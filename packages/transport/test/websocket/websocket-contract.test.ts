import { AcceptedTransport } from '../../src/websocket/accepted-transport.ts';
import { WebSocketTransport } from '../../src/websocket/websocket-transport.ts';
import { type ConnectedEnds, describeTransportContract } from '../contract.ts';
import { serveTransport } from './line-server.ts';

const QUICK = { attempts: Number.POSITIVE_INFINITY, baseDelayMs: 1, maxDelayMs: 5 };

describeTransportContract('WebSocket, plain', {
  survivesDrops: 'best-effort',
  connect: () => connectEnds({ lossless: false }),
});

describeTransportContract('WebSocket, lossless', {
  survivesDrops: 'lossless',
  connect: () => connectEnds({ lossless: true }),
});

/** Less than what the contract lets a writer send that nobody reads, and more than its longest line. */
const OUTBOX = { memoryBytes: 14 * 1024 * 1024 };

async function connectEnds({ lossless }: { lossless: boolean }): Promise<ConnectedEnds> {
  const right = new AcceptedTransport({ lossless, surviveDrops: true, outbox: OUTBOX });
  const server = await serveTransport(right);
  const left = new WebSocketTransport(server.url, { lossless, env: {}, reconnect: QUICK, outbox: OUTBOX });
  await left.connect();
  return {
    left,
    right,
    drop: () => server.cut(),
    cleanup: async () => {
      await Promise.allSettled([left.close(), right.close()]);
      await server.stop();
    },
  };
}
