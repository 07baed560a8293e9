import { setTimeout as pause } from 'node:timers/promises';
import { timeLimit } from '@signalbox/protocol';
import { Balancer } from '@signalbox/testing/balancer';
import { until } from '@signalbox/testing/hub/test-parts';
import { onTestFinished } from 'vitest';

/** How often each node is asked whether it is ready, and how long it may take to answer. */
const CHECK_MS = 200;
const PATIENCE_MS = 5000;

/** A load balancer of nodes that are ready: it cuts connections to a node that no longer is. Ends with the test. */
export async function balancerOf(ports: readonly number[]): Promise<Balancer> {
  const balancer = await Balancer.listen();
  const closing = new AbortController();
  for (const port of ports) void watch(balancer, port, closing.signal);
  onTestFinished(() => {
    closing.abort();
    balancer.close();
  });
  await until(() => balancer.size === ports.length);
  return balancer;
}

async function watch(balancer: Balancer, port: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const patience = AbortSignal.any([signal, timeLimit(PATIENCE_MS)]);
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: patience }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) balancer.add(port);
    else balancer.remove(port);
    await pause(CHECK_MS, undefined, { signal }).catch(() => {});
  }
}
