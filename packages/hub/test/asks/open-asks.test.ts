import { LIMITS } from '@signalbox/protocol';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { FaultyLink } from '../chaos/faulty-link.ts';

const KNOWN = { subtype: 'error', error: 'Already initialized', pending_permission_requests: [] };

describe('what agents ask', () => {
  it('[AP5] a dialog is answered or cancelled; forms and dialogs stay open while their agent is away', async () => {
    const { store, agent, answer, dial, link } = await stage();
    const dialog = { subtype: 'request_user_dialog', dialog_kind: 'pick', payload: { a: 1 } };
    for (const id of ['d1', 'd2'])
      await agent.say({ type: 'control_request', request_id: id, request: dialog });
    await until(async () => (await store.permissions.listOpen({})).items.length === 2);
    expect((await answer('d1', { behavior: 'allow', updatedInput: {} })).status).toBe(422);
    await answer('d1', { behavior: 'allow', result: { picked: 2 } });
    expect(await agent.hears(({ response }) => response?.request_id === 'd1')).toMatchObject({
      response: { response: { behavior: 'completed', result: { picked: 2 } } },
    });
    link.cut();
    await until(async () => (await store.sessions.get('s'))?.state === 'disconnected');
    const again = await dial(KNOWN);
    await until(async () => (await store.sessions.get('s'))?.state === 'asking');
    await answer('d2', { behavior: 'deny' });
    expect(await again.hears(({ response }) => response?.request_id === 'd2')).toMatchObject({
      response: { response: { behavior: 'cancelled' } },
    });
    const next = await dial();
    await next.say({ type: 'control_request', request_id: 'd3', request: dialog });
    await until(async () => (await store.permissions.get('s', 'd3'))?.state === 'open');
    link.cut();
    await dial();
    await until(async () => (await store.permissions.get('s', 'd3'))?.state === 'expired');
  });

  it('[AP6] beyond the limit the agent is told at once, and what was open before stays', async () => {
    const { store, agent, answer } = await stage();
    for (let n = 0; n < LIMITS.openAsks.most + 5; n += 1) await agent.ask(`r${n}`);
    for (let n = LIMITS.openAsks.most; n < LIMITS.openAsks.most + 5; n += 1) {
      const { response } = await agent.hears(({ response: to }) => to?.request_id === `r${n}`);
      expect(response).toMatchObject({ subtype: 'error', error_code: 'ASK_LIMIT' });
    }
    expect((await answer('r0', { behavior: 'allow' })).body.isFirst).toBe(true);
    await agent.ask('again');
    await until(async () => (await store.permissions.get('s', 'again'))?.state === 'open');
    // One that is known is no new one, however many are open.
    await agent.ask('r0');
    await agent.ask('last');
    await agent.hears(({ response }) => response?.request_id === 'last');
    const refused = agent.heard.filter(({ response }) => response?.subtype === 'error');
    expect(refused.map(({ response }) => response.request_id)).not.toContain('r0');
  });

  it('[AP7] however often answers are repeated, each request has one effect and one author', async () => {
    const { store, agent, answer } = await stage();
    const ids = Array.from({ length: 20 }, (_, n) => `r${n}`);
    for (const id of ids) await agent.ask(id);
    await until(async () => (await store.permissions.listOpen({})).items.length === ids.length);
    const answers = await Promise.all(
      ids.flatMap((id) =>
        Array.from({ length: 20 }, (_, n) => answer(id, { behavior: n % 2 ? 'allow' : 'deny' })),
      ),
    );
    expect(answers.filter(({ body }) => body.isFirst)).toHaveLength(ids.length);
    await until(async () => (await store.permissions.listUndelivered('s')).length === 0);
    const heard = agent.heard.filter(({ type }) => type === 'control_response');
    const answered: string[] = heard.map(({ response }) => response.request_id);
    expect(answered).toHaveLength(ids.length);
    expect(new Set(answered)).toEqual(new Set(ids));
    const { items } = await store.audit.list({ session: 's', limit: 500 });
    const decided = items.filter(({ subject }) => ids.includes(subject ?? ''));
    expect(decided).toHaveLength(ids.length);
    for (const { response } of heard) {
      const { what } = decided.find(({ subject }) => subject === response.request_id) ?? {};
      expect(response.response.behavior).toBe(what);
    }
  });
});

async function stage() {
  const { hub, store, token } = await startTestHub();
  const link = await FaultyLink.to(hub.port);
  const dial = (greeting?: object) =>
    TestAgent.dial(`http://127.0.0.1:${link.port}/ws/s`, token, {
      reconnect: { attempts: 0 },
      ...(greeting === undefined ? {} : { greeting }),
    });
  const agent = await dial();
  await until(async () => (await store.sessions.get('s'))?.state === 'idle');
  const answer = (requestId: string, body: unknown) =>
    call(hub.url, token, 'POST', `/api/sessions/s/permissions/${requestId}/answer`, body);
  return { hub, store, token, agent, answer, dial, link };
}
