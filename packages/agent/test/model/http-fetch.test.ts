import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpFetch } from '../../src/model/http-fetch.ts';
import { proxyFor } from '../../src/model/http-proxy.ts';
import { ModelClient } from '../../src/model/model-client.ts';
import { driveAgent, isResult } from '../drive-agent.ts';
import { ask, CERTIFICATE, EVENT_TYPES, openApi, openMute, openProxy, REQUEST, sse } from './api-stub.ts';

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

const PATIENT = { connectMs: 60_000, silenceMs: 60_000 };

describe('waiting for the API', () => {
  it('[AG42] ends when there is no connection in time', async () => {
    const port = await openMute();
    const limits = { ...PATIENT, connectMs: 50 };
    await expect(ask({ ANTHROPIC_BASE_URL: `https://127.0.0.1:${port}` }, limits)).rejects.toMatchObject({
      message: 'API Error: Connection error: No connection within 0.05 s',
      isPassing: true,
    });
    const HTTP_PROXY = `127.0.0.1:${port}`;
    await expect(ask({ ANTHROPIC_BASE_URL: 'http://model.test', HTTP_PROXY }, limits)).rejects.toMatchObject({
      message: `API Error: Connection error: No connection through the proxy ${HTTP_PROXY}`,
      isPassing: true,
    });
  });

  it('[AG42] names what refused the connection', async () => {
    const refused = ask({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }, PATIENT);
    await expect(refused).rejects.toMatchObject({
      message: expect.stringMatching(/^API Error: Connection error: .*ECONNREFUSED/),
      isPassing: true,
    });
  });

  it('[AG732] may be interrupted when a reply is complete and not read yet', async () => {
    const { url } = await openApi((_request, response) => response.end(sse()));
    const { signal, abort } = abortable();
    const request = { method: 'POST', headers: [], body: '', signal };
    const { body } = await httpFetch({}, PATIENT)(url, request);
    const reading = body[Symbol.asyncIterator]();
    await reading.next();
    abort();
    // An error that nobody handles would fail the run.
    await expect(reading.next()).resolves.toMatchObject({ done: true });
    await new Promise(setImmediate);
  });

  it('[AG42] ends when the API says nothing, before a reply and in the middle of it', async () => {
    const limits = { ...PATIENT, silenceMs: 2000 };
    const mute = await openApi(() => {});
    await expect(ask({ ANTHROPIC_BASE_URL: mute.url }, limits)).rejects.toThrow(
      'API Error: Connection error: No word from the API for 2 s',
    );
    const stuck = await openApi((_request, response) => response.write(sse()));
    await expect(ask({ ANTHROPIC_BASE_URL: stuck.url }, limits)).rejects.toThrow(
      'The connection broke in the middle of a reply: No word from the API for 2 s',
    );
  });

  it('[AG42] does not take a slow reader for a silent API', async () => {
    const { url } = await openApi((_request, response) => {
      response.write(sse([{ type: 'message_start' }]));
      setTimeout(() => response.end(sse([{ type: 'message_stop' }])), 50);
    });
    const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'the-key' };
    const client = new ModelClient(env, { limits: { ...PATIENT, silenceMs: 2000 } });
    const types: string[] = [];
    for await (const { type } of client.stream(REQUEST, new AbortController().signal)) {
      types.push(type);
      if (type === 'message_start') await sleep(2500);
    }
    expect(types).toEqual(['message_start', 'message_stop']);
  });

  it('[AG42] uses a connection again', async () => {
    const ports = new Set<number | undefined>();
    const { url } = await openApi(({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end(sse());
    });
    for (let round = 0; round < 3; round += 1) await ask({ ANTHROPIC_BASE_URL: url });
    expect(ports.size).toBe(1);
  });
});

describe('proxies', () => {
  it('[AG43] are asked for a connection, with the credentials of their address', async () => {
    const api = await openApi();
    const proxy = await openProxy(api.port);
    const HTTP_PROXY = proxy.url.replace('//', '//me:p%40ss@');
    expect(await ask({ ANTHROPIC_BASE_URL: 'http://model.test:81/x', HTTP_PROXY })).toEqual(EVENT_TYPES);
    expect(proxy.asked).toEqual([
      { to: 'model.test:81', authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` },
    ]);
    expect(api.asked).toMatchObject([{ url: '/x/v1/messages', headers: { host: 'model.test:81' } }]);
  });

  it('[AG43] see nothing of what goes through them to an https address', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-proxy-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'ca.pem'), CERTIFICATE);
    const names: unknown[] = [];
    const api = await openApi(({ socket }, response) => {
      names.push('servername' in socket && socket.servername);
      response.end(sse());
    }, true);
    const proxy = await openProxy(api.port);
    const agent = await driveAgent({
      env: {
        ANTHROPIC_BASE_URL: 'https://model.test',
        HTTPS_PROXY: proxy.url,
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      },
    });
    await agent.say('hi');
    expect(await agent.next(isResult)).toMatchObject({ result: 'hi' });
    expect(proxy.asked).toMatchObject([{ to: 'model.test:443' }]);
    expect(names).toEqual(['model.test']);
  });

  it('[AG43] that refuse are named, without their credentials', async () => {
    const { url } = await openApi();
    const HTTP_PROXY = url.replace('//', '//me:secret@');
    const refused = await ask({ ANTHROPIC_BASE_URL: 'http://model.test', HTTP_PROXY }).catch(String);
    expect(refused).toContain(`the proxy ${new URL(url).host}`);
    expect(refused).not.toContain('secret');
  });

  it('[AG43] are left out for this machine and for what NO_PROXY names', () => {
    const env = {
      HTTP_PROXY: 'plain:1',
      HTTPS_PROXY: 'https://secure:2',
      NO_PROXY: 'a.test, .b.test,c.test:8080',
    };
    const proxies = (urls: string[]) => urls.map((url) => proxyFor(new URL(url), env)?.href);
    expect(proxies(['http://x.test', 'https://x.test', 'https://ba.test', 'http://c.test'])).toEqual([
      'http://plain:1/',
      'https://secure:2/',
      'https://secure:2/',
      'http://plain:1/',
    ]);
    const direct = [
      'http://localhost:1',
      'http://127.0.0.1',
      'https://[::1]:3',
      'http://a.test',
      'https://x.a.test',
    ];
    expect(proxies([...direct, 'http://b.test', 'http://x.b.test', 'http://c.test:8080'])).toEqual(
      Array.from({ length: 8 }),
    );
    expect(proxyFor(new URL('http://x.test'), { ...env, NO_PROXY: '*' })).toBeUndefined();
    expect(proxyFor(new URL('http://x.test'), { ...env, http_proxy: 'small:3' })?.host).toBe('small:3');
    expect(proxyFor(new URL('http://x.test'), {})).toBeUndefined();
  });
});
