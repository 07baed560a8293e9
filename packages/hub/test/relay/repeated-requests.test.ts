import type { JsonObject } from '@signalbox/protocol';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import {
  REMEMBERED_ANSWER_LENGTH,
  REMEMBERED_REQUESTS,
  RecentRequests,
} from '../../src/doors/http/recent-requests.ts';
import { TestFrontend } from './test-frontend.ts';

describe('requests of hosts that come again', () => {
  it('[RY18] are answered once for each name and content; what failed, and what is long past, is asked again', async () => {
    const requests = new RecentRequests();
    let asked = 0;
    const count = async (): Promise<JsonObject> => ({ n: (asked += 1) });
    const interrupt = { subtype: 'interrupt' };
    const [first, again] = [
      requests.answer('host 1', interrupt, count),
      requests.answer('host 1', interrupt, count),
    ];
    expect(await again).toBe(await first);
    expect(await requests.answer('host 1', { subtype: 'mcp_status' }, count)).toEqual({ n: 2 });
    expect(await requests.answer('host 2', interrupt, count)).toEqual({ n: 3 });
    const fail = (): Promise<JsonObject> => Promise.reject(new TypeError('gone'));
    await expect(requests.answer('host 3', interrupt, fail)).rejects.toThrow('gone');
    expect(await requests.answer('host 3', interrupt, count)).toEqual({ n: 4 });
    for (let n = 0; n < REMEMBERED_REQUESTS; n += 1) await requests.answer(`${n}`, interrupt, count);
    expect(await requests.answer('host 1', interrupt, count)).not.toEqual(await first);
  });

  it('[RY3810] a long answer is not kept for whoever asks again: it is asked for once more', async () => {
    const requests = new RecentRequests();
    let asked = 0;
    const read = (length: number) => async (): Promise<JsonObject> => {
      asked += 1;
      return { contents: 'x'.repeat(length) };
    };
    const both = [1, 2].map(() =>
      requests.answer('host', { subtype: 'read' }, read(REMEMBERED_ANSWER_LENGTH)),
    );
    await Promise.all(both);
    expect(asked).toBe(1);
    await requests.answer('host', { subtype: 'read' }, read(REMEMBERED_ANSWER_LENGTH));
    expect(asked).toBe(2);
    for (const _ of both) await requests.answer('host', { subtype: 'short' }, read(10));
    expect(asked).toBe(3);
  });

  it('[RY18] over a plain link are requests of their own, whatever id they carry', async () => {
    const { hub, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const asked = () => agent.heard.filter(({ request }) => request && request.subtype !== 'initialize');
    for (const subtype of ['interrupt', 'mcp_status', 'mcp_status']) {
      const host = await TestFrontend.connect(`${hub.url}/api/sessions/s/wire`, { token });
      host.say({ type: 'control_request', request_id: '1', request: { subtype } });
      const before = asked().length;
      const { request_id: id } = await until(() => asked()[before]);
      const response = { subtype: 'success', request_id: id, response: { did: subtype, n: before } };
      await agent.say({ type: 'control_response', response });
      const answer = await host.finds(({ type }) => type === 'control_response');
      expect(answer.response).toEqual({ ...response, request_id: '1' });
    }
    expect(asked()).toHaveLength(3);
  });
});
