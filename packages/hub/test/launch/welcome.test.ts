import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { endProcess } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findBridges } from '../../src/bridge/find-bridges.ts';
import { SIGNALBOX } from './launch-stage.ts';

/** `signalbox up` as a person starts it on a machine with these variables and programs. */
async function up(home: string, variables: NodeJS.ProcessEnv = {}): Promise<{ url: string; token: string }> {
  const bare = join(home, 'bin');
  mkdirSync(bare, { recursive: true });
  const env = { PATH: `${bare}:/usr/bin:/bin`, HOME: home, SIGNALBOX_HOME: home, ...variables };
  const child = spawn(process.execPath, [SIGNALBOX, 'up', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => end(child, home));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const url = await until(() => /is up at (\S+)\n[^]*come back/.exec(output)?.[1]);
  return { url, token: readFileSync(join(home, 'token'), 'utf8').trim() };
}

/** The hub, and the agents that would outlive it. */
async function end(child: ChildProcess, home: string): Promise<void> {
  child.kill('SIGINT');
  await once(child, 'exit');
  for (const { pid, state } of await findBridges(home)) if (state === 'running') endProcess(pid);
  await until(async () => (await findBridges(home)).every(({ state }) => state !== 'running'));
}

describe('the first start', () => {
  it('[LN23] without a claude, a key and a session makes a session on the built-in model', async () => {
    const { url, token } = await up(temporaryFolder());
    const session = await until(async () => {
      const { items } = (await call(url, token, 'GET', '/api/sessions')).body;
      return items.find(({ state }: { state: string }) => state === 'idle');
    });
    expect(session).toMatchObject({ title: 'Welcome', agent: 'built-in scripted model' });
    const path = `/api/sessions/${session.id}`;
    const said = async (): Promise<string> =>
      JSON.stringify((await call(url, token, 'GET', `${path}/events`)).body.entries);
    await until(async () => (await said()).includes('"subtype":"success","is_error":false'));
    expect(await said()).toContain('I am the **built-in scripted model**');
    for (const [word, tool] of [
      ['write', 'Write'],
      ['run', 'Bash'],
      ['ask', 'AskUserQuestion'],
    ]) {
      await call(url, token, 'POST', `${path}/prompts`, { clientId: word, content: `${word}, please` });
      const asked = await until(async () => {
        const { items } = (await call(url, token, 'GET', '/api/permissions')).body;
        return items.find(({ request }: { request: { tool_name: string } }) => request.tool_name === tool);
      });
      const answers = word === 'ask' ? { answers: { 'Which signal shall I set?': 'Green' } } : {};
      const answer = { behavior: 'allow', ...answers };
      await call(url, token, 'POST', `${path}/permissions/${asked.requestId}/answer`, answer);
      await until(async () => (await call(url, token, 'GET', path)).body.state === 'idle');
    }
    expect(await said()).toContain('Green');
    await call(url, token, 'POST', `${path}/stop`, {});
  });

  it('[LN24] with a key or a claude makes none, and says which agents there are', async () => {
    const { url, token } = await up(temporaryFolder(), { ANTHROPIC_API_KEY: 'x' });
    expect((await call(url, token, 'GET', '/api/sessions')).body.items).toEqual([]);
    const { items } = (await call(url, token, 'GET', '/api/agents')).body;
    expect(items).toMatchObject([
      { name: 'claude', isAvailable: false, why: expect.stringContaining('SIGNALBOX_CLAUDE') },
      { name: 'signalbox-agent', isAvailable: true, version: expect.stringMatching(/^\d+\.\d+/) },
      { name: 'scripted', isAvailable: true, title: 'built-in scripted model' },
    ]);
    const named = await up(temporaryFolder(), { SIGNALBOX_CLAUDE: process.execPath });
    expect((await call(named.url, named.token, 'GET', '/api/sessions')).body.items).toEqual([]);
    const [claude] = (await call(named.url, named.token, 'GET', '/api/agents')).body.items;
    expect(claude).toMatchObject({ isAvailable: true, path: process.execPath, why: null });
    expect(claude.version).toBe(process.versions.node);
  });

  it('[LN25] a hub comes back on the port that it had, where its agents look for it', async () => {
    const home = temporaryFolder();
    const port = await freePort();
    const first = await HubProcess.start(home, port);
    const file = join(home, 'hub.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await first.kill();
    const second = await HubProcess.start(home);
    expect(second.url).toBe(first.url);
    await second.kill();
    const squatter = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void squatter.close());
    await once(squatter, 'listening');
    const third = await HubProcess.start(home);
    expect(third.url).not.toBe(first.url);
    expect(JSON.parse(readFileSync(file, 'utf8')).url).toBe(third.url);
  });
});
