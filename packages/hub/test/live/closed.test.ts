import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '@signalbox/testing/hub/test-parts';
import { expect, it, onTestFinished } from 'vitest';
import { LiveSessions } from '../../src/sessions/live-sessions.ts';
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts';
import type { Store } from '../../src/store/store.ts';

async function usedAndLeft(store: Store): Promise<WeakRef<LiveSessions>> {
  const sessions = new LiveSessions(store, () => {});
  await sessions.begin();
  await sessions.create('s');
  await sessions.handOver();
  return new WeakRef(sessions);
}

it('[LV842] the sessions of a hub that has closed are not kept in memory', async () => {
  const store = await openMemoryStore();
  onTestFinished(() => store.close());
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const left = await usedAndLeft(store);
  await until(() => {
    collect();
    return left.deref() === undefined;
  });
  expect(left.deref()).toBeUndefined();
});
