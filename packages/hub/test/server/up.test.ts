import { statSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

describe('signalbox up', () => {
  it('[HB60] says how to sign in and dial in, keeps its token to itself, and ends cleanly', async () => {
    const home = temporaryFolder();
    const hub = await HubProcess.start(home, await freePort());
    const link = /sign-in#(\S+)/.exec(hub.output())?.[1];
    const signIn = await call(hub.url, '', 'POST', '/api/sign-in', { link });
    expect(signIn.status).toBe(200);
    expect(hub.output()).toMatch(/dial in .* bridge -- /);
    expect(statSync(join(home, 'token')).mode & 0o777).toBe(0o600);
    expect((await call(hub.url, hub.token, 'GET', '/api/me')).body.scope).toBe('admin');
    hub.tell('SIGINT');
    expect(await hub.exited).toEqual({ code: 0, signal: null });
  });

  it('[HB62] takes the first free port of 8765 to 8774', async () => {
    const hubs = [await HubProcess.start(temporaryFolder()), await HubProcess.start(temporaryFolder())];
    const ports = hubs.map(({ url }) => Number(new URL(url).port));
    expect(ports[0]).not.toBe(ports[1]);
    for (const port of ports) expect(port >= 8765 && port <= 8774).toBe(true);
  });

  it('[HB61] goes on with its token and its data when it is started again', async () => {
    const home = temporaryFolder();
    const port = await freePort();
    const first = await HubProcess.start(home, port);
    await call(first.url, first.token, 'POST', '/api/sessions', { id: 's', title: 'kept' });
    const { token } = first;
    first.tell('SIGTERM');
    await first.exited;
    const second = await HubProcess.start(home, port);
    expect(second.token).toBe(token);
    expect((await call(second.url, token, 'GET', '/api/sessions/s')).body.title).toBe('kept');
  });
});
