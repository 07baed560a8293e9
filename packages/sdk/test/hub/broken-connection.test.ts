import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ChaosProxy } from '@signalbox/testing/chaos-proxy';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { startTestHub, temporaryFolder, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HubApi } from '../../src/hub/index.ts';
import { StreamViewer } from './stream-viewer.ts';

/** A hub's files, beside which SQLite keeps two of its own. */
const DATABASE = ['hub.db', 'hub.db-wal', 'hub.db-shm'];

/** A hub that is killed may take its time to come back. */
const PATIENT = { attempts: 1000, baseDelayMs: 50, maxDelayMs: 200 };

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** Bring one folder's database into another, in the place of what is there. */
function putBack(from: string, to: string): void {
  for (const name of DATABASE) {
    rmSync(join(to, name), { force: true });
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

describe('a connection that breaks', () => {
  it.each([1, 2, 3])('[HC1] costs no entry and doubles none, wherever it is cut (seed %i)', async (seed) => {
    const { hub, token } = await startTestHub();
    const { token: agentToken = '' } = await new HubApi({ url: hub.url, token }).createSession({ id: 's' });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, agentToken);
    const proxy = new ChaosProxy(hub.port, new SeededRandom(seed), 8);
    const { host } = await proxy.listen();
    onTestFinished(() => proxy.stop());
    const viewer = new StreamViewer({ url: `http://${host}/`, token, dialMs: 1000 });
    viewer.watch('s');
    await viewer.hears('snapshot');
    for (let turn = 0; !proxy.isDone; turn += 1) {
      await agent.play(`turn ${turn} ${randomBytes(25_000).toString('hex')}`);
      // It is told before the next one begins: so the cuts fall all over what it is told.
      await until(() => JSON.stringify(viewer.entries.at(-1)).includes(`"result":"turn ${turn} `));
    }
    const { last } = await new HubApi({ url: hub.url, token }).events('s', { limit: 1 });
    expect(viewer.all('reset')).toEqual([]);
    expect(viewer.numbers).toEqual(range(1, last));
  });

  it('[HC2] by kill -9 of the hub is mended when it is back: entries and prompts once', async () => {
    const home = temporaryFolder();
    const port = await freePort();
    const first = await HubProcess.start(home, port);
    const { url, token } = first;
    const api = new HubApi({ url, token });
    const { token: agentToken = '' } = await api.createSession({ id: 's' });
    const agent = await TestAgent.dial(`${url}/ws/s`, agentToken, { reconnect: PATIENT });
    const viewer = new StreamViewer({ url, token });
    viewer.watch('s');
    await viewer.is('open');
    await agent.play('before');
    await viewer.hears('sdk-message', (entry) => JSON.stringify(entry).includes('before'));
    await first.kill();
    await viewer.is('waiting');
    const prompted = [viewer.stream.prompt('s', 'one'), viewer.stream.prompt('s', 'two')];
    await expect(viewer.stream.interrupt('s')).rejects.toMatchObject({ code: 'HUB_CONNECTION_LOST' });
    await HubProcess.start(home, port);
    expect((await Promise.all(prompted)).map(({ content }) => content)).toEqual(['one', 'two']);
    await until(() => agent.prompts.length === 1);
    await agent.play('after one');
    await until(() => agent.prompts.length === 2);
    await agent.play('after two');
    await viewer.hears('sdk-message', (entry) => JSON.stringify(entry).includes('after two'));
    expect(agent.prompts).toEqual(['one', 'two']);
    const { last } = await api.events('s', { limit: 1 });
    expect(viewer.numbers).toEqual(range(1, last));
  });

  it('[HC3] and a hub that was put back from an old copy tell a reset, and what the hub has now', async () => {
    const home = temporaryFolder();
    const port = await freePort();
    const first = await HubProcess.start(home, port);
    const { url, token } = first;
    const { token: agentToken = '' } = await new HubApi({ url, token }).createSession({ id: 's' });
    const agent = await TestAgent.dial(`${url}/ws/s`, agentToken, { reconnect: PATIENT });
    await agent.play('kept');
    const viewer = new StreamViewer({ url, token });
    viewer.watch('s');
    await viewer.hears('sdk-message', (entry) => JSON.stringify(entry).includes('"result":"kept"'));
    await first.kill();
    const copy = temporaryFolder();
    putBack(home, copy);
    const second = await HubProcess.start(home, port);
    await until(() => agent.transport.state === 'connected');
    await agent.play('lost');
    await viewer.hears('sdk-message', (entry) => JSON.stringify(entry).includes('"result":"lost"'));
    await agent.transport.close();
    await second.kill();
    putBack(copy, home);
    viewer.told.length = 0;
    await HubProcess.start(home, port);
    await viewer.hears('reset');
    const { last } = await viewer.hears('snapshot');
    await until(() => viewer.numbers.at(-1) === last);
    expect(viewer.told.map(({ type }) => type).slice(0, 2)).toEqual(['reset', 'snapshot']);
    expect(viewer.numbers).toEqual(range(1, last));
    expect(JSON.stringify(viewer.entries)).toContain('kept');
    expect(JSON.stringify(viewer.entries)).not.toContain('lost');
  });

  it('[HC4] because the token was revoked ends in `refused`, and what waits is told why', async () => {
    const { hub, store, token } = await startTestHub();
    await new HubApi({ url: hub.url, token }).createSession({ id: 's' });
    const lent = await tokenFor(store, { name: 'phone' });
    const reconnect = { baseDelayMs: 1000, maxDelayMs: 1000 };
    const viewer = new StreamViewer({ url: hub.url, token: lent, reconnect });
    await viewer.is('open');
    const { id } = await new HubApi({ url: hub.url, token: lent }).me();
    await new HubApi({ url: hub.url, token }).call('DELETE', `/api/devices/${id}`);
    await viewer.is('waiting');
    const waiting = viewer.stream.prompt('s', 'too late');
    await expect(waiting).rejects.toMatchObject({ code: 'HUB_REFUSED', reason: 'UNAUTHENTICATED' });
    expect(viewer.states).toEqual(['open', 'waiting', 'connecting', 'refused']);
    await expect(viewer.stream.prompt('s', 'no more')).rejects.toMatchObject({ code: 'HUB_CONNECTION_LOST' });
  });

  it('[HC12] or is never made is given up, and tried again', async () => {
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await until(() => silent.listening);
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    let dialled = 0;
    silent.on('connection', () => {
      dialled += 1;
    });
    const viewer = new StreamViewer({ url: `http://127.0.0.1:${port}`, token: 't', dialMs: 50 });
    await until(() => dialled > 4);
    expect(viewer.states).not.toContain('open');
  });
});
