import type { HubRule, NewRule, PermissionRequest } from '@signalbox/protocol/hub';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub } from '@signalbox/testing/hub/test-parts';
import type { HubOptions } from '../../src/hub.ts';

/** What a test of rules works with: a hub, and agents that the hub has launched in a folder, or that came by themselves. */
export async function policyStage(options: Partial<HubOptions> = {}) {
  const { hub, store, token } = await startTestHub(options);
  const api = async (method: string, path: string, body?: object, as = token) =>
    call(hub.url, as, method, path, body);
  const add = async (rule: string, behavior: NewRule['behavior'], scope: object = {}): Promise<HubRule> => {
    const { status, body } = await api('POST', '/api/rules', { rule, behavior, ...scope });
    if (status !== 201) throw new Error(`${body.code}: ${body.detail}`);
    return body.rule;
  };
  /** With a folder: as if the hub had launched it there. */
  const dial = async (
    session: string,
    folder?: string,
    env?: Record<string, string>,
    agent = 'claude',
  ): Promise<TestAgent> => {
    await store.sessions.create(session, { folder: folder ?? null });
    if (folder !== undefined) {
      const spec = { agent, folder, ...(env ? { env } : {}) };
      await store.launches.keep(session, { spec, device: '' });
    }
    return TestAgent.dial(`${hub.url}/ws/${session}`, token);
  };
  const asked = async (session: string, requestId: string): Promise<PermissionRequest | undefined> =>
    store.permissions.get(session, requestId);
  return { hub, store, token, api, add, dial, asked };
}

/** What the agent is told about a request: `allow`, `deny`, or an error. */
export async function answerTo(agent: TestAgent, requestId: string): Promise<string> {
  const { response } = await agent.hears((heard) => heard.response?.request_id === requestId);
  return response.response.behavior;
}
