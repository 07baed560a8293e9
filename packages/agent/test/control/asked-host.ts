import { ControlPeer, type JsonObject } from '@signalbox/protocol';
import { createMemoryPair } from '@signalbox/transport';
import { onTestFinished } from 'vitest';

/** A host that asks what `answer` has handlers for. It leaves after the test. */
export function askedHost(
  answer: (peer: ControlPeer) => void,
): (subtype: string, request?: JsonObject) => Promise<JsonObject> {
  const { left, right } = createMemoryPair();
  const agent = new ControlPeer(left, { onMessage: () => {} });
  const host = new ControlPeer(right, { onMessage: () => {} });
  answer(agent);
  const running = Promise.all([agent.run(), host.run()]);
  onTestFinished(async () => {
    await Promise.all([left.close(), right.close()]);
    await running;
  });
  return (subtype, request = {}) => host.request({ subtype, ...request });
}
