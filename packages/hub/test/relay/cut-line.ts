import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A line between a host and its hub that can be cut. */
export interface CutLine {
  port: number;
  /** How many connections were made over it. */
  connections: () => number;
  cut: () => void;
}

/** What is sent to `port` of it goes to the hub's, as long as nobody cuts it. */
export async function cutLine(target: () => number): Promise<CutLine> {
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    const far = dial(target(), '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    cut();
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    connections: () => connections,
    cut,
  };
}
