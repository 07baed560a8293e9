import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { makeCertificate } from '@signalbox/testing/hub/certificate';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { NoticeReceiver } from '@signalbox/testing/hub/notice-receiver';
import { PushBrowser, vapidClaims } from '@signalbox/testing/hub/push-browser';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, temporaryFolder, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noticeStage, SHORT_PATIENCE } from './notice-stage.ts';

/** A push service that takes connections and never says a word, not even of TLS. */
async function silentService() {
  const seen = { open: 0, closed: 0, endpoint: '' };
  const server = createServer((socket) => {
    seen.open += 1;
    socket.on('error', () => {});
    socket.once('close', () => (seen.closed += 1));
    socket.resume();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  seen.endpoint = `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/send/1`;
  return seen;
}

describe('web push', () => {
  it('[HB1930] a hub that is killed between the question and its notice sends it when it is back, once in the record, encrypted for the browser; 410 retires the subscription', async () => {
    const [home, port] = [temporaryFolder(), await freePort()];
    const files = makeCertificate(home);
    const [cert, key] = [readFileSync(files.cert, 'utf8'), readFileSync(files.key, 'utf8')];
    const service = await NoticeReceiver.listen({ cert, key });
    const variables = { NODE_EXTRA_CA_CERTS: files.cert };
    const first = await HubProcess.start(home, port, variables);
    const { url, token } = first;
    const api = (method: string, path: string, body?: unknown) => call(url, token, method, path, body);
    const { publicKey } = (await api('GET', '/api/notices/push-key')).body;
    expect(statSync(join(home, 'push-keys.json')).mode & 0o777).toBe(0o600);
    const browser = new PushBrowser();
    const subscription = browser.subscription(`${service.url}/send/1`);
    const added = await api('POST', '/api/notices/push', { ...subscription, allowsPrivate: true });
    expect(added.body).toMatchObject({ type: 'push', address: service.url, mayAnswer: true });
    // The service takes it and says nothing: the hub does not know whether it arrived.
    service.answers = ['never'];
    const agent = await TestAgent.dial(`${url}/ws/s`, token);
    await agent.ask('q', { command: 'rm -r build' });
    await until(() => service.received.length === 1);
    await first.kill();
    service.answers = [201];
    const second = await HubProcess.start(home, port, variables);
    expect((await api('GET', '/api/notices/push-key')).body.publicKey).toBe(publicKey);
    const outcome = (state: string) =>
      until(async () => {
        const { items } = (await api('GET', '/api/notices')).body;
        return items[0]?.deliveries[0]?.state === state ? items : undefined;
      });
    expect(await outcome('sent')).toMatchObject([{ kind: 'asks', deliveries: [{ outcome: 'HTTP 201' }] }]);
    expect(service.received.map(({ path, headers }) => [path, headers.topic])).toEqual([
      ['/send/1', service.received[0]?.headers.topic],
      ['/send/1', service.received[0]?.headers.topic],
    ]);
    const pushed = service.received.map(({ body, headers }) => {
      const claims = vapidClaims(headers.authorization, publicKey);
      expect(claims).toMatchObject({ aud: service.url });
      expect(headers).toMatchObject({
        'content-encoding': 'aes128gcm',
        ttl: String(12 * 60 * 60),
        urgency: 'high',
      });
      return JSON.parse(browser.decrypt(body));
    });
    expect(pushed[1]).toMatchObject({ event: 'asks', notice: pushed[0].notice, body: 'Bash: rm -r build' });
    // Whichever of the two the browser shows, its button works.
    const answered = await fetch(`${url}/api/notice-answers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ capability: pushed[0].capability, behavior: 'allow' }),
    });
    expect(answered.status).toBe(200);
    await agent.hears(({ response }) => response?.request_id === 'q');
    await outcome('closed');
    expect(JSON.parse(browser.decrypt(service.received[2]?.body ?? Buffer.of()))).toMatchObject({
      event: 'closed',
      capability: null,
    });
    service.answers = [410];
    await agent.play('done');
    await outcome('failed');
    const { items } = (await api('GET', '/api/notices/targets')).body;
    expect(items).toMatchObject([{ retired: { why: 'HTTP 410' } }]);
    await second.kill();
  });

  it('[HB3755] a push service that takes connections and says nothing holds nothing else up, is left at its limit, and that is the outcome', async () => {
    const pushKeys = join(temporaryFolder(), 'keys.json');
    const open = async (noticePatience: Partial<typeof SHORT_PATIENCE> & { endMs?: number }) => {
      const service = await silentService();
      const stage = await noticeStage(
        {},
        { pushKeys, noticePatience: { ...SHORT_PATIENCE, ...noticePatience } },
      );
      const subscription = new PushBrowser().subscription(service.endpoint);
      const { body } = await stage.call('POST', '/api/notices/push', {
        ...subscription,
        allowsPrivate: true,
      });
      const pushes = async () => {
        const { items } = (await stage.call('GET', '/api/notices')).body;
        const all: { target: string; state: string; outcome: string | null }[] = items.flatMap(
          ({ deliveries }: { deliveries: object[] }) => deliveries,
        );
        return all.filter(({ target }) => target === body.id);
      };
      return { ...stage, service, push: body.id, pushes };
    };

    const patient = await open({});
    const words = Array.from({ length: 9 }, (_, index) => `reply ${index}`);
    for (const word of words) await patient.agent.play(word);
    for (const word of words) await patient.receiver.gets(({ body }) => body === word);
    await until(() => patient.service.open === 4);
    expect((await patient.pushes()).map(({ state }) => state)).toEqual(words.map(() => 'waiting'));
    expect(patient.service).toMatchObject({ open: 4, closed: 0 });

    // It is the limit of the other receiver as well, which answers as soon as it can.
    const { agent, service, call: api, push, pushes, receiver } = await open({ timeoutMs: 2000, endMs: 1 });
    await agent.play('one');
    const [given] = await until(async () => {
      const all = await pushes();
      return all[0]?.state === 'failed' ? all : undefined;
    });
    expect(given?.outcome).toBe('Given up after 1 attempts: No answer within 2 s');
    await until(() => service.closed === 1);
    // It may be well again tomorrow.
    const { items } = (await api('GET', '/api/notices/targets')).body;
    expect(items.find(({ id }: { id: string }) => id === push)).toMatchObject({ retired: null });
    await agent.play('two');
    await until(() => service.open === 2);
    await receiver.gets(({ body }) => body === 'two');
  });

  it('[HB1931] a device has one subscription, which only it and an admin see, and which ends with it; what a watcher gets answers nothing', async () => {
    const { hub, store, token } = await startTestHub({ pushKeys: join(temporaryFolder(), 'keys.json') });
    const api = (as: string, method: string, path: string, body?: unknown) =>
      call(hub.url, as, method, path, body);
    const browser = new PushBrowser();
    const subscription = browser.subscription('https://push.example/1');
    const [watcher, other] = [
      await tokenFor(store, { scope: 'watch', name: 'tablet' }),
      await tokenFor(store, { scope: 'approve', name: 'phone' }),
    ];
    const first = (await api(watcher, 'POST', '/api/notices/push', subscription)).body;
    expect(first).toMatchObject({ name: 'tablet', mayAnswer: false });
    const moved = browser.subscription('https://push.example/2');
    const again = (await api(watcher, 'POST', '/api/notices/push', moved)).body;
    expect(again.id).toBe(first.id);
    const seen = async (as: string) => (await api(as, 'GET', '/api/notices/targets')).body.items;
    expect(await seen(watcher)).toHaveLength(1);
    expect(await seen(other)).toEqual([]);
    expect(JSON.stringify(await seen(token))).not.toContain('push.example/2');
    expect((await api(other, 'DELETE', `/api/notices/targets/${first.id}`)).status).toBe(403);
    for (const [body, code] of [
      [{ ...subscription, allowsPrivate: true }, 'FORBIDDEN'],
      [{ ...subscription, endpoint: 'https://127.0.0.1/x' }, 'NOTICE_URL_INVALID'],
      [{ ...subscription, endpoint: 'http://push.example/x' }, 'NOTICE_URL_INVALID'],
      [{ ...subscription, keys: { p256dh: 'AA', auth: 'AA' } }, 'REQUEST_INVALID'],
    ] as const)
      expect((await api(watcher, 'POST', '/api/notices/push', body)).body.code).toBe(code);
    const agentToken = await tokenFor(store, { kind: 'agent', scope: 'watch' });
    expect((await api(agentToken, 'POST', '/api/notices/push', subscription)).status).toBe(403);
    const { items: devices } = (await api(token, 'GET', '/api/devices')).body;
    const { id } = devices.find(({ name }: { name: string }) => name === 'tablet');
    await api(token, 'DELETE', `/api/devices/${id}`);
    await api(token, 'POST', `/api/notices/targets/${first.id}/test`, {});
    const [kept] = await until(async () => {
      const items = await seen(token);
      return items[0]?.retired ? items : undefined;
    });
    expect(kept.retired.why).toBe('Its device is signed out');
  });
});
