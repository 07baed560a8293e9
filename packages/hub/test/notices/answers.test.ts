import { join } from 'node:path';
import { NoticeReceiver } from '@signalbox/testing/hub/notice-receiver';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { Log } from '../../src/base/log.ts';
import { createCapability } from '../../src/notices/capability.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { noticeStage } from './notice-stage.ts';

/** Without any token. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
async function answer(url: string, body: unknown, path = '/api/notice-answers'): Promise<any> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

describe('answers by notices', () => {
  it('[HB1920] a notice answers its question without any token, once, and the audit log names it; to look answers nothing', async () => {
    const { agent, receiver, url, call: api, store } = await noticeStage({ mayAnswer: true, name: 'phone' });
    await agent.ask('q', { command: 'rm -r build' });
    const { answer: right } = await receiver.gets(({ event }) => event === 'asks');
    expect(right).toMatchObject({
      url: `${url}/api/notice-answers`,
      page: `${url}/notice#${right.capability}`,
    });
    const page = await fetch(`${url}/notice`);
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
    const { capability } = right;
    const seen = await answer(url, { capability }, '/api/notice-answers/look');
    expect(seen.body).toMatchObject({ session: 's', toolName: 'Bash', text: 'rm -r build' });
    expect(JSON.parse(seen.body.input)).toEqual({ command: 'rm -r build' });
    expect((await fetch(`${url}/api/notice-answers`)).status).toBe(404);
    expect((await store.permissions.get('s', 'q'))?.state).toBe('open');
    const both = await Promise.all([
      answer(url, { capability, behavior: 'allow' }),
      answer(url, { capability, behavior: 'deny' }),
    ]);
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
    const [said] = (await api('GET', '/api/audit')).body.items;
    expect(said).toMatchObject({
      subject: 'q',
      author: { by: 'person', name: 'Ada', device: 'notice to phone' },
      why: expect.stringMatching(/^answered on the notice \S+ to phone$/),
    });
    const again = await answer(url, { capability, behavior: 'allow' });
    expect([again.status, again.body.code]).toEqual([409, 'CAPABILITY_USED']);
    expect(again.body.detail).toContain('Ada');
    await agent.hears(({ response }) => response?.request_id === 'q');
  });

  it('[HB2505] the page spells out what cannot be seen: marks that reorder text show no other call than the one that is allowed', async () => {
    const { agent, receiver, url, call: api } = await noticeStage({ mayAnswer: true });
    await api('PATCH', '/api/sessions/s', { title: 'work\u202e' });
    await agent.ask('q', { command: 'rm -rf /\u202e # dliub nur\u2066' });
    const { answer: right } = await receiver.gets(({ event }) => event === 'asks');
    const { body } = await answer(url, { capability: right.capability }, '/api/notice-answers/look');
    expect(body.text).toBe('rm -rf /\\u202e # dliub nur\\u2066');
    expect(JSON.stringify(body)).not.toMatch(/[\u202e\u2066]/);
    expect(JSON.parse(body.input)).toEqual({ command: 'rm -rf /\u202e # dliub nur\u2066' });
  });

  it('[HB1921] what was answered elsewhere, is too old, forged, cut off, of another session or of a removed target is refused in words', async () => {
    const lines: string[] = [];
    const log = new Log({ write: (line) => lines.push(line), level: 'debug' });
    const {
      agent,
      receiver,
      url,
      call: api,
      store,
      target,
    } = await noticeStage({ mayAnswer: true }, { log });
    await agent.ask('q');
    const { answer: right, notice } = await receiver.gets(({ event }) => event === 'asks');
    const { capability } = right;
    const [id = '', proof = ''] = capability.split('.');
    const refusal = async (text: string) =>
      (await answer(url, { capability: text, behavior: 'allow' })).body.code;
    for (const forged of [`${id}.`, `${id}.${proof.slice(1)}A`, `${id}.${proof}A`, proof, '.', `x.${proof}`])
      expect(await refusal(forged)).toBe('CAPABILITY_INVALID');
    // One that is good for a question that nobody asks here.
    const delivery = { target, notice: { id: String(notice) } };
    const elsewhere = createCapability(delivery, { session: 's', requestId: 'other', request: {} });
    await store.notices.grant(elsewhere.stored);
    expect(await refusal(elsewhere.text)).toBe('CAPABILITY_INVALID');
    const asked = await store.permissions.get('s', 'q');
    if (!asked) throw new Error('nothing is asked');
    const old = createCapability(delivery, asked, -1);
    await store.notices.grant(old.stored);
    expect(await refusal(old.text)).toBe('CAPABILITY_EXPIRED');
    // Nothing that proves anything is kept or logged.
    const kept = JSON.stringify(await store.notices.capability(old.stored.id));
    expect(kept).not.toContain(old.text.split('.')[1]);
    const changed = createCapability(delivery, {
      ...asked,
      request: { ...asked.request, input: { command: 'ls -a' } },
    });
    await store.notices.grant(changed.stored);
    expect(await refusal(changed.text)).toBe('CAPABILITY_CHANGED');
    expect((await store.permissions.get('s', 'q'))?.state).toBe('open');
    await api('POST', '/api/sessions/s/permissions/q/answer', { behavior: 'deny' });
    expect(await refusal(capability)).toBe('CAPABILITY_USED');
    await agent.ask('r');
    const next = await receiver.gets(({ requestId, event }) => requestId === 'r' && event === 'asks');
    await api('DELETE', `/api/notices/targets/${target}`);
    expect(await refusal(next.answer.capability)).toBe('CAPABILITY_INVALID');
    expect(lines.join('\n')).not.toContain(proof);
  });

  it('[HB1922] a right is bound to the input: one for a question whose input is another one when the hub is back answers nothing', async () => {
    const file = join(temporaryFolder(), 'hub.db');
    const receiver = await NoticeReceiver.listen();
    const first = await startTestHub({ store: await openSqliteStore(file) });
    const body = { type: 'webhook', url: receiver.url, allowsPrivate: true, mayAnswer: true };
    await call(first.hub.url, first.token, 'POST', '/api/notices/targets', body);
    const agent = await TestAgent.dial(`${first.hub.url}/ws/s`, first.token);
    await agent.ask('q', { command: 'ls' });
    const { answer: right } = await receiver.gets(({ event }) => event === 'asks');
    await agent.transport.close();
    await first.hub.close();
    await first.store.close();
    const database = new Libsql(file);
    database.exec("UPDATE session SET state = 'disconnected'");
    database.exec(`UPDATE permission SET state = 'open', request = replace(request, '"ls"', '"rm -rf /"')`);
    database.close();
    const { hub } = await startTestHub({ store: await openSqliteStore(file) });
    const { capability } = right;
    const refused = await answer(hub.url, { capability, behavior: 'allow' });
    expect([refused.status, refused.body.code]).toEqual([409, 'CAPABILITY_CHANGED']);
  });

  it('[HB1923] a right comes only where it was allowed, and never with a question that wants words', async () => {
    const { agent, receiver } = await noticeStage();
    await agent.ask('q');
    expect(await receiver.gets(({ event }) => event === 'asks')).toMatchObject({ answer: null });
    const allowed = await noticeStage({ mayAnswer: true });
    await allowed.agent.ask('w', { questions: [] }, 'AskUserQuestion');
    expect(await allowed.receiver.gets(({ event }) => event === 'asks')).toMatchObject({ answer: null });
  });

  it('[HB1924] ntfy gets a topic, words and buttons in the body, and its token as a header; the buttons answer', async () => {
    const { agent, receiver, call: api, outcome, target } = await noticeStage({ mayAnswer: true });
    await api('DELETE', `/api/notices/targets/${target}`);
    const ntfy = {
      type: 'ntfy',
      url: `${receiver.url}/agents`,
      token: 'tk_1',
      allowsPrivate: true,
      mayAnswer: true,
    };
    const added = await api('POST', '/api/notices/targets', ntfy);
    expect(added.body).toMatchObject({
      secret: null,
      target: { type: 'ntfy', address: `${receiver.url}/…` },
    });
    expect(JSON.stringify(added.body)).not.toContain('tk_1');
    await agent.ask('q', { command: 'make\r\nx-evil: 1' });
    const message = await receiver.gets(({ topic }) => topic === 'agents');
    expect(message).toMatchObject({ title: expect.any(String), priority: 4, tags: ['question'] });
    expect(receiver.received[0]).toMatchObject({ path: '/', headers: { authorization: 'Bearer tk_1' } });
    await outcome('sent');
    const [allow] = message.actions;
    expect(allow).toMatchObject({ action: 'http', label: 'Allow', method: 'POST', clear: true });
    const pressed = await fetch(allow.url, { method: 'POST', headers: allow.headers, body: allow.body });
    expect(pressed.status).toBe(200);
    await outcome('closed');
    const closing = await receiver.gets(({ message: words }) => words === 'Answered.');
    expect(closing).toMatchObject({ sequence_id: message.sequence_id, priority: 1 });
    for (const url of ['https://ntfy.sh/', 'https://ntfy.sh/a?b', 'https://ntfy.sh/a%20b'])
      expect((await api('POST', '/api/notices/targets', { type: 'ntfy', url })).body.code).toBe(
        'NOTICE_URL_INVALID',
      );
  });

  it('[HB1925] who guesses is slowed down, and a good right works all the same', async () => {
    const { agent, receiver, url } = await noticeStage({ mayAnswer: true });
    await agent.ask('q');
    const { answer: right } = await receiver.gets(({ event }) => event === 'asks');
    const { capability } = right;
    const limited = await until(async () => {
      const { status } = await answer(url, { capability: 'x.y', behavior: 'allow' });
      return status === 429;
    });
    expect(limited).toBe(true);
    expect((await answer(url, { capability, behavior: 'deny' })).status).toBe(200);
  });
});
