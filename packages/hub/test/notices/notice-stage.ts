import { NoticeReceiver } from '@signalbox/testing/hub/notice-receiver';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { type Answer, call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import type { HubOptions } from '../../src/hub.ts';
import type { Store } from '../../src/store/store.ts';

/** Pauses that no test has to wait for. */
export const SHORT_PATIENCE = { firstPauseMs: 5, longestPauseMs: 20, timeoutMs: 60_000 };

/** A hub with an agent in session `s`, and a webhook that hears of all. */
export interface NoticeStage {
  url: string;
  token: string;
  store: Store;
  agent: TestAgent;
  receiver: NoticeReceiver;
  target: string;
  secret: string;
  call: (method: string, path: string, body?: unknown, as?: string) => Promise<Answer>;
  /** What became of the newest notice at its first target, once that fits. */
  outcome: (state: string) => Promise<Answer['body']>;
}

export async function noticeStage(
  change: Record<string, unknown> = {},
  options: Partial<HubOptions> = {},
): Promise<NoticeStage> {
  const { hub, store, token } = await startTestHub({ noticePatience: SHORT_PATIENCE, ...options });
  const receiver = await NoticeReceiver.listen();
  const api: NoticeStage['call'] = (method, path, body, as = token) => call(hub.url, as, method, path, body);
  const body = { type: 'webhook', url: `${receiver.url}/hook?key=hidden`, allowsPrivate: true, ...change };
  const { target, secret } = (await api('POST', '/api/notices/targets', body)).body;
  const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
  await until(async () => (await store.sessions.get('s'))?.state === 'idle');
  const outcome: NoticeStage['outcome'] = (state) =>
    until(async () => {
      const [notice] = (await api('GET', '/api/notices')).body.items;
      return notice?.deliveries[0]?.state === state ? { ...notice, ...notice.deliveries[0] } : undefined;
    });
  return { url: hub.url, token, store, agent, receiver, target: target.id, secret, call: api, outcome };
}
