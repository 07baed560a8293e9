import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { openMemoryStore } from '@signalbox/hub/store';
import { LIMITS } from '@signalbox/protocol';
import { NoticeReceiver } from '@signalbox/testing/hub/notice-receiver';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Log } from '../../src/base/log.ts';
import { NoticeOutbox } from '../../src/notices/notice-outbox.ts';
import { post } from '../../src/notices/post.ts';
import type { StoredTarget } from '../../src/store/notice.ts';
import { TestViewer } from '../live/test-viewer.ts';
import { noticeStage, SHORT_PATIENCE } from './notice-stage.ts';

const ALLOW = { behavior: 'allow' };

describe('webhooks', () => {
  it('[HB1910] an agent that asks, finishes or fails is told to a webhook once, signed with the time, and the outcome is kept', async () => {
    const { agent, receiver, secret, outcome, call: api } = await noticeStage();
    await agent.ask('q', { command: 'rm -r build' });
    const asked = await receiver.gets(({ event }) => event === 'asks');
    expect(asked).toMatchObject({ session: 's', requestId: 'q', body: 'Bash: rm -r build', answer: null });
    const [first] = receiver.received;
    if (!first) throw new Error('nothing was received');
    const { headers, body, path } = first;
    expect(path).toBe('/hook?key=hidden');
    const signed = [headers['webhook-id'], headers['webhook-timestamp'], body.toString()].join('.');
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(headers['idempotency-key']).toBe(asked.delivery);
    expect(await outcome('sent')).toMatchObject({ kind: 'asks', attempts: 1, outcome: 'HTTP 200' });
    await api('POST', '/api/sessions/s/permissions/q/answer', ALLOW);
    await agent.play('all done');
    expect(await receiver.gets(({ event }) => event === 'finished')).toMatchObject({ body: 'all done' });
    await agent.say({
      type: 'result',
      subtype: 'success',
      is_error: true,
      result: 'no credit',
      session_id: 'a',
    });
    expect(await receiver.gets(({ event }) => event === 'failed')).toMatchObject({ body: 'no credit' });
    await agent.say({
      type: 'bridge',
      subtype: 'exited',
      code: 3,
      signal: null,
      stderr: 'boom',
      descendants: 0,
    });
    await receiver.gets(({ body: words }) => words === 'The agent failed with exit code 3. boom');
    const events = receiver.messages.map(({ event }) => event).filter((event) => event !== 'closed');
    expect(events).toEqual(['asks', 'finished', 'failed', 'failed']);
  });

  it('[HB1911] a notice that was answered elsewhere is closed where it was sent, and is not sent where it was not', async () => {
    const { agent, receiver, outcome, url, token, call: api } = await noticeStage();
    await agent.ask('q');
    await outcome('sent');
    await api('POST', '/api/sessions/s/permissions/q/answer', ALLOW);
    const closed = await receiver.gets(({ event }) => event === 'closed');
    expect(closed).toMatchObject({ requestId: 'q', notice: receiver.messages[0].notice });
    expect(receiver.received[1]?.headers['webhook-id']).toBe(`${closed.delivery}-closed`);
    await outcome('closed');
    const viewer = await TestViewer.connect(url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    await agent.ask('r');
    expect(await outcome('held')).toMatchObject({
      requestId: 'r',
      attempts: 0,
      outcome: 'Somebody was looking',
    });
    await api('POST', '/api/sessions/s/permissions/r/answer', ALLOW);
    await outcome('withdrawn');
    expect(receiver.messages.map(({ requestId }) => requestId)).not.toContain('r');
  });

  it('[HB1912] it is quiet while somebody looks: a question is told when nobody does any more, all else never', async () => {
    const { agent, receiver, outcome, url, token } = await noticeStage();
    const viewer = await TestViewer.connect(url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    await agent.play('seen');
    expect(await outcome('quiet')).toMatchObject({ kind: 'finished' });
    await agent.ask('q');
    await outcome('held');
    expect(receiver.received).toEqual([]);
    // A page that is open behind others.
    await viewer.ask({ type: 'look', isLooking: false });
    await receiver.gets(({ event }) => event === 'asks');
    await viewer.ask({ type: 'look', isLooking: true });
    await agent.ask('r');
    await until(async () => (await outcome('held')).requestId === 'r');
    viewer.socket.close();
    await once(viewer.socket, 'close');
    await receiver.gets(({ requestId }) => requestId === 'r');
    await outcome('sent');
    expect(receiver.messages.map(({ event }) => event)).toEqual(['asks', 'asks']);
  });

  it('[HB1913] one that answers 500 is tried again under the same id, and given up with a word after its time', async () => {
    const { agent, receiver, outcome } = await noticeStage();
    receiver.answers = [500, 503, 200];
    await agent.play('one');
    expect(await outcome('sent')).toMatchObject({ attempts: 3 });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(3);
    const patient = await noticeStage({}, { noticePatience: { ...SHORT_PATIENCE, endMs: 60 } });
    patient.receiver.answers = [500];
    await patient.agent.play('two');
    const given = await patient.outcome('failed');
    expect(given.outcome).toMatch(/^Given up after \d+ attempts: HTTP 500$/);
    expect(patient.receiver.received).toHaveLength(given.attempts);
  });

  it('[HB1914] one that hangs is left, redirects are not followed, 404 is the end of a notice, 410 that of the target', async () => {
    const hanging = await noticeStage({}, { noticePatience: { ...SHORT_PATIENCE, timeoutMs: 50, endMs: 1 } });
    hanging.receiver.answers = ['never'];
    await hanging.agent.play('hangs');
    expect((await hanging.outcome('failed')).outcome).toContain('No answer within');
    const { agent, receiver, target, call: api } = await noticeStage();
    const inside = await NoticeReceiver.listen();
    for (const [answer, words] of [
      [{ status: 302, headers: { location: `${inside.url}/admin` } }, 'redirects are not followed'],
      [404, 'HTTP 404'],
      [410, 'HTTP 410'],
    ] as const) {
      receiver.answers = [answer];
      await agent.play(words);
      const last = await until(async () => {
        const [notice] = (await api('GET', '/api/notices')).body.items;
        const isOver = notice?.body === words && notice.deliveries[0].state === 'failed';
        return isOver ? notice.deliveries[0] : undefined;
      });
      expect(last.outcome).toContain(words);
    }
    expect(inside.received).toEqual([]);
    const [kept] = await until(async () => {
      const { items } = (await api('GET', '/api/notices/targets')).body;
      return items[0]?.retired ? items : undefined;
    });
    expect(kept).toMatchObject({ id: target, retired: { why: 'HTTP 410' } });
    expect((await api('POST', `/api/notices/targets/${target}/test`, {})).body.code).toBe(
      'NOTICE_TARGET_RETIRED',
    );
  });

  it('[HB1915] what leads inside of the network is refused unless it was allowed, as an address and as a name', async () => {
    const { hub, token } = await startTestHub({ noticePatience: SHORT_PATIENCE });
    const api = (method: string, path: string, body?: unknown) => call(hub.url, token, method, path, body);
    const refused = [
      'http://127.0.0.1:1/x',
      'http://[::1]/x',
      'http://[::ffff:10.0.0.1]/x',
      'http://[64:ff9b::7f00:1]/x',
      'http://[::ffff:0:7f00:1]/x',
      'http://2130706433/x',
      'http://0x7f.1/x',
      'http://localhost/x',
      'http://a.localhost./x',
      'http://169.254.169.254/latest/meta-data',
      'http://0.0.0.0/',
      'https://ada:secret@hooks.example/x',
      'file:///etc/passwd',
      'gopher://hooks.example/',
      'hooks.example',
    ];
    for (const url of refused) {
      const answer = await api('POST', '/api/notices/targets', { type: 'webhook', url });
      expect([url, answer.status, answer.body.code]).toEqual([url, 422, 'NOTICE_URL_INVALID']);
    }
    // A name may lead inside only when it is looked up: the connection itself refuses that.
    const receiver = await NoticeReceiver.listen();
    const url = new URL(receiver.url.replace('127.0.0.1', 'localhost'));
    const asked = { timeoutMs: 60_000, signal: AbortSignal.timeout(60_000) };
    const refusal = post({ url, headers: {}, body: '' }, { ...asked, allowsPrivate: false });
    await expect(refusal).rejects.toMatchObject({ code: 'NOTICE_ADDRESS_REFUSED' });
    const address = { url: new URL(receiver.url), headers: {}, body: '' };
    await expect(post(address, { ...asked, allowsPrivate: false })).rejects.toMatchObject({
      code: 'NOTICE_ADDRESS_REFUSED',
    });
    expect(receiver.received).toEqual([]);
    expect(await post(address, { ...asked, allowsPrivate: true })).toMatchObject({ status: 200 });
  });

  it('[HB1916] neither answers nor the log tell secrets or addresses, and only an admin changes targets', async () => {
    const lines: string[] = [];
    const log = new Log({ write: (line) => lines.push(line), level: 'debug' });
    const { agent, secret, store, target, outcome, call: api } = await noticeStage({}, { log });
    await agent.play('done');
    await outcome('sent');
    const listed = JSON.stringify([
      (await api('GET', '/api/notices/targets')).body,
      (await api('GET', '/api/notices')).body,
      (await api('GET', '/api/audit')).body,
    ]);
    for (const hidden of [secret, 'key=hidden']) {
      expect(listed).not.toContain(hidden);
      expect(lines.join('\n')).not.toContain(hidden);
    }
    expect(listed).toContain('add notice target');
    const driver = await tokenFor(store, { scope: 'drive' });
    const add = { type: 'webhook', url: 'https://hooks.example/' };
    expect((await api('POST', '/api/notices/targets', add, driver)).status).toBe(403);
    expect((await api('DELETE', `/api/notices/targets/${target}`, undefined, driver)).status).toBe(403);
    expect((await api('POST', `/api/notices/targets/${target}/test`, {}, driver)).status).toBe(403);
    expect((await api('GET', '/api/notices/targets', undefined, driver)).body.items).toEqual([]);
    expect((await api('GET', '/api/notices', undefined, driver)).body.items).toEqual([]);
    expect((await api('DELETE', `/api/notices/targets/${target}`)).body.id).toBe(target);
    expect((await api('GET', '/api/notices/targets')).body.items).toEqual([]);
  });

  it('[HB1917] titles and bodies are cut and hold no line ends, whatever an agent is called or says', async () => {
    const { agent, receiver, call: api } = await noticeStage();
    await api('PATCH', '/api/sessions/s', { title: `a\r\nx-evil: 1\u202e${'y'.repeat(300)}` });
    await agent.ask('q', { command: `echo\r\n${'z'.repeat(2000)}` });
    const { title, body } = await receiver.gets(({ event }) => event === 'asks');
    expect(title).toMatch(/^a x-evil: 1 y+…$/);
    expect(title.length).toBeLessThanOrEqual(120);
    expect(body.length).toBeLessThanOrEqual(500);
  });

  it('[HB2506] test notices are forgotten like all others once there are too many', async () => {
    const store = await openMemoryStore();
    onTestFinished(() => store.close());
    let pruned = 0;
    const prune = async (): Promise<void> => {
      pruned += 1;
    };
    const add = async (): Promise<[]> => [];
    const outbox = new NoticeOutbox({
      store: { ...store, notices: { ...store.notices, add, prune } },
      requestFor: () => Promise.reject(new Error('nothing is sent')),
      onTrouble: (error) => {
        throw error;
      },
    });
    for (let at = 0; at < 500; at += 1) await outbox.test(storedTarget());
    expect(pruned).toBe(1);
  });

  it('[HB2305] an agent that nobody minds calls so often an hour and says so with the last; a question waits, and who answers or prompts is called again', async () => {
    const { agent, receiver, outcome, call: api } = await noticeStage();
    const { most } = LIMITS.noticesOfSession;
    for (let turn = 1; turn <= most + 2; turn += 1) await agent.play(`turn ${turn}`);
    expect(await outcome('quiet')).toMatchObject({
      body: `turn ${most + 2}`,
      attempts: 0,
      outcome: `There were ${most} within an hour, and nobody minded`,
    });
    await until(() => receiver.received.length === most);
    const bodies = receiver.messages.map(({ body }) => body);
    expect(bodies.filter((body) => body.includes('no more are sent'))).toHaveLength(1);
    await agent.ask('q');
    const waiting = await until(async () => {
      const notice = await outcome('waiting');
      return notice.requestId === 'q' && notice.nextAt > Date.now() + 60_000 ? notice : undefined;
    });
    expect(waiting.attempts).toBe(0);
    await api('POST', '/api/sessions/s/permissions/q/answer', ALLOW);
    await outcome('withdrawn');
    expect(receiver.received).toHaveLength(most);
    await agent.ask('r');
    await receiver.gets(({ requestId }) => requestId === 'r');
    await api('POST', '/api/sessions/s/permissions/r/answer', ALLOW);
    await agent.play('at last');
    expect(await receiver.gets(({ body }) => body === 'at last')).toMatchObject({ event: 'finished' });
  });
});

function storedTarget(): StoredTarget {
  const nothing = { session: null, device: null, retired: null, secret: null, token: null, keys: null };
  const may = { mayAnswer: false, allowsPrivate: false };
  const own = { id: 't', name: 'phone', address: 'https://hooks.example', url: 'https://hooks.example/x' };
  return {
    ...nothing,
    ...may,
    ...own,
    type: 'webhook',
    kinds: ['asks'],
    author: { by: 'hub' },
    createdAt: 0,
  };
}
