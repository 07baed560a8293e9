import type { ScriptedModel } from '@signalbox/model';
import {
  type Answer,
  call,
  dialAgent,
  startModel,
  startTestHub,
  until,
} from '@signalbox/testing/hub/test-parts';
import type { Store } from '../../src/store/store.ts';

/** A session of the real agent at a hub, and what a client does with it. */
export interface DrivenSession {
  url: string;
  token: string;
  store: Store;
  model: ScriptedModel;
  agent: ReturnType<typeof dialAgent>;
  call: (method: string, path: string, body?: unknown, as?: string) => Promise<Answer>;
  prompt: (content: unknown, delivery?: 'queue' | 'steer') => Promise<Answer>;
  /** What the agent asks; waits until it does. */
  asked: () => Promise<Answer['body']>;
  answer: (requestId: string, answer: unknown, as?: string) => Promise<Answer>;
  /** The result of turn number `turn`; waits for it. */
  result: (turn: number) => Promise<string>;
}

/** With `flags` for the agent. */
export async function driveSession(flags: readonly string[] = []): Promise<DrivenSession> {
  const { hub, store, token } = await startTestHub();
  const model = await startModel();
  const api: DrivenSession['call'] = (method, path, body, as = token) =>
    call(hub.url, as, method, path, body);
  const made = await api('POST', '/api/sessions', { id: 's' });
  const agent = dialAgent(`${hub.url.replace('http', 'ws')}/ws/s`, made.body.token, model.url, flags);
  await until(async () => (await store.sessions.get('s'))?.state === 'idle');
  return {
    url: hub.url,
    token,
    store,
    model,
    agent,
    call: api,
    prompt: (content, delivery = 'queue') =>
      api('POST', '/api/sessions/s/prompts', { clientId: crypto.randomUUID(), content, delivery }),
    asked: () => until(async () => (await api('GET', '/api/permissions')).body.items[0]),
    answer: (requestId, answer, as) =>
      api('POST', `/api/sessions/s/permissions/${requestId}/answer`, answer, as),
    result: (turn) =>
      until(async () => {
        const { entries } = (await api('GET', '/api/sessions/s/events')).body;
        const results = entries.filter(({ message }: Answer['body']) => message?.type === 'result');
        return results[turn - 1] && JSON.stringify(results[turn - 1].message.result ?? '');
      }),
  };
}
