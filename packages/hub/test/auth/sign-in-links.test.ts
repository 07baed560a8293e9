import { once } from 'node:events';
import { request } from 'node:http';
import { call, startTestHub } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

describe('sign-in links', () => {
  it('[AP62] are for whoever asks unless told otherwise, at the address that people know', async () => {
    const { hub, store, token } = await startTestHub({ names: ['box.lan'] });
    const { status, body } = await call(hub.url, token, 'POST', '/api/sign-in-links', {});
    expect(status).toBe(201);
    expect(body.url).toBe(`http://box.lan:${hub.port}${body.path}`);
    const link = new URL(body.url).hash.slice(1);
    expect((await call(hub.url, '', 'POST', '/api/sign-in', { link })).status).toBe(200);
    expect((await store.devices.list()).items.at(-1)).toMatchObject({
      person: 'Ada',
      name: 'browser',
      scope: 'admin',
      session: null,
    });
    const grant = { person: 'Zoe', name: 'phone', scope: 'watch' };
    const other = await call(hub.url, token, 'POST', '/api/sign-in-links', grant);
    await store.devices.redeemLink(new URL(other.body.url).hash.slice(1));
    expect((await store.devices.list()).items.at(-1)).toMatchObject(grant);
    const proxied = await startTestHub({ names: ['hub.example'], behindProxy: true });
    expect(proxied.hub.publicUrl).toBe('https://hub.example');
  });

  it('[AP3320] have the port of a name that has one, and the hub answers requests for it', async () => {
    const { hub, token } = await startTestHub({ names: ['Hub.example:8443'], behindProxy: true });
    expect(hub.publicUrl).toBe('https://hub.example:8443');
    const host = 'hub.example:8443';
    const asked = request(`${hub.url}/api/me`, {
      headers: { authorization: `Bearer ${token}`, host, origin: `https://${host}` },
    }).end();
    const [response] = await once(asked, 'response');
    response.resume();
    expect(response.statusCode).toBe(200);
    const forwarded = await startTestHub({ names: ['box.lan:9000'] });
    expect(forwarded.hub.publicUrl).toBe('http://box.lan:9000');
  });
});
