import type { Store } from '@signalbox/hub';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { expect } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';

/** A hub runs on this store: prompts, questions, answers and cursors. */
export async function playHubOn(store: Store): Promise<void> {
  const { hub, token } = await startTestHub({ store });
  const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
  await until(async () => (await call(hub.url, token, 'GET', '/api/sessions/s')).body.state === 'idle');
  await call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId: 'p', content: 'go' });
  await agent.hears(({ type }) => type === 'user');
  await agent.ask('q');
  await until(async () => (await call(hub.url, token, 'GET', '/api/permissions')).body.items.length === 1);
  const answer = { behavior: 'allow' };
  const answered = await call(hub.url, token, 'POST', '/api/sessions/s/permissions/q/answer', answer);
  expect(answered.body).toMatchObject({ isFirst: true, permission: { state: 'answered' } });
  await agent.hears(({ response }) => response?.request_id === 'q');
  const first = await TestViewer.connect(hub.url, token);
  await first.ask({ type: 'subscribe', session: 's' });
  const { cursor } = first;
  await agent.play('done');
  await until(async () => (await store.record.tail('s')).last > cursor.seq);
  const second = await TestViewer.connect(hub.url, token);
  await second.ask({ type: 'subscribe', session: 's', cursor });
  await until(() => second.entries.length > 0);
  expect(second.told.some(({ type }) => type === 'reset')).toBe(false);
  expect(second.entries[0].seq).toBe(cursor.seq + 1);
}
