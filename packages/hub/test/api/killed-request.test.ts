import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { endProcess } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findBridges } from '../../src/bridge/find-bridges.ts';

/** Notes that it runs and what it is told; it answers nobody until there is a file `go`. */
const SLOW = `
  const { appendFileSync, existsSync } = require('node:fs');
  appendFileSync('runs', process.pid + '\\n');
  const hear = (line) => {
    const { type, request_id } = JSON.parse(line);
    if (type === 'user') appendFileSync('prompts', line + '\\n');
    const response = { subtype: 'success', request_id, response: {} };
    if (type === 'control_request') console.log(JSON.stringify({ type: 'control_response', response }));
  };
  const begin = () => {
    if (!existsSync('go')) return setTimeout(begin, 50);
    require('node:readline').createInterface({ input: process.stdin }).on('line', hear);
  };
  begin();`;

describe('a request with an idempotency key over which the hub was killed', () => {
  it('[AP47] launches no second agent, and is answered with the session of the first', async () => {
    const { home, port, hub } = await stage();
    const folder = temporaryFolder();
    const command = [process.execPath, '-e', SLOW];
    const body = { launch: { agent: 'custom', command, folder, prompt: 'begin' } };
    onTestFinished(() => endBridges(home));
    const runs = (): string[] => linesIn(join(folder, 'runs'));
    const first = post(hub, 'k', '/api/sessions', body).catch(() => undefined);
    await until(() => runs().length === 1);
    await hub.kill();
    await first;
    const next = await HubProcess.start(home, port);
    const second = post(next, 'k', '/api/sessions', body);
    const third = post(next, 'k', '/api/sessions', body);
    await until(async () => (await sessionsOf(next)).length === 1);
    writeFileSync(join(folder, 'go'), '');
    const answer = await second;
    expect(answer.status).toBe(201);
    expect(['idle', 'active']).toContain(answer.body.session.state);
    expect(await third).toEqual(answer);
    expect(await post(next, 'k', '/api/sessions', body)).toEqual(answer);
    expect((await sessionsOf(next)).map(({ id }) => id)).toEqual([answer.body.session.id]);
    await until(() => linesIn(join(folder, 'prompts')).length > 0);
    expect(linesIn(join(folder, 'prompts'))).toHaveLength(1);
    expect(runs()).toHaveLength(1);
    expect((await findBridges(home)).filter(({ state }) => state === 'running')).toHaveLength(1);
  });

  it('[AP47] is refused where to do it again could be to do it twice, and done where it finds what it did', async () => {
    const { home, port, hub } = await stage();
    await post(hub, 'make', '/api/sessions', { id: 's' });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, hub.token, {
      reconnect: { attempts: 500, baseDelayMs: 50, maxDelayMs: 200 },
    });
    const asked = () => agent.heard.filter(({ request }) => request?.subtype === 'interrupt');
    const interrupt = { subtype: 'interrupt' };
    const first = post(hub, 'k', '/api/sessions/s/control', interrupt).catch(() => undefined);
    await until(() => asked().length === 1);
    await hub.kill();
    await first;
    const next = await HubProcess.start(home, port);
    await until(async () => (await sessionsOf(next))[0]?.state === 'idle');
    for (let n = 0; n < 2; n += 1) {
      expect(await post(next, 'k', '/api/sessions/s/control', interrupt)).toMatchObject({
        status: 409,
        body: { code: 'OUTCOME_UNKNOWN' },
      });
    }
    expect(asked()).toHaveLength(1);
    const prompt = { clientId: 'p', content: 'hello' };
    const prompts = ['a', 'b', 'a'].map((key) => post(next, key, '/api/sessions/s/prompts', prompt));
    const ids = (await Promise.all(prompts)).map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(1);
  });
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
type Body = any;

async function stage() {
  const [home, port] = [temporaryFolder(), await freePort()];
  return { home, port, hub: await HubProcess.start(home, port) };
}

async function post(
  { url, token }: HubProcess,
  key: string,
  path: string,
  body: unknown,
): Promise<{ status: number; body: Body }> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

async function sessionsOf({ url, token }: HubProcess): Promise<{ id: string; state: string }[]> {
  const answer = await fetch(`${url}/api/sessions`, { headers: { authorization: `Bearer ${token}` } });
  const { items }: Body = await answer.json();
  return items;
}

function linesIn(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

async function endBridges(home: string): Promise<void> {
  const running = async () => (await findBridges(home)).filter(({ state }) => state === 'running');
  for (const { pid } of await running()) endProcess(pid);
  await until(async () => (await running()).length === 0);
}
