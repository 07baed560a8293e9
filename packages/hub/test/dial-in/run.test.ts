import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, startTestHub, temporaryFolder, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { isRunning } from '@signalbox/testing/is-running';
import { describe, expect, it } from 'vitest';
import { runBridge, scripted } from '../bridge/run-bridge.ts';
import { greetedThen, LaunchStage } from '../launch/launch-stage.ts';

/** Introduces itself at once, asks when it is told to, and writes down what it hears. */
const listening = (file: string): string => `
  say({ type: 'system', subtype: 'init', session_id: 'a', cwd: '/', model: 'm', uuid: crypto.randomUUID() });
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    require('node:fs').appendFileSync(${JSON.stringify(file)}, line + '\\n');
    const { request_id, request, message } = JSON.parse(line);
    if (request?.subtype === 'initialize')
      say({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
    if (message?.content.startsWith('ask'))
      say({ type: 'control_request', request_id: message.content, request:
        { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't' } });
  });`;

describe('an agent that takes the place of another', () => {
  it('[HB64] gets the prompts that the other had not got, once, and nothing else that was meant for it', async () => {
    const { hub, store, token } = await startTestHub();
    const [home, notes] = [temporaryFolder(), temporaryFolder()];
    const options = { hub: hub.url, home, env: { SIGNALBOX_TOKEN: await tokenFor(store) } };
    const post = (path: string, body: object) =>
      call(hub.url, token, 'POST', `/api/sessions/s/${path}`, body);
    const [one, two] = [join(notes, 'one'), join(notes, 'two')];
    const killed = runBridge({ ...options, command: scripted(listening(one)) });
    await until(() => heardIn(one).includes('initialize'));
    await post('prompts', { clientId: 'p1', content: 'ask' });
    await until(async () => (await store.permissions.listOpen({ session: 's' })).items.length === 1);
    killed.child.kill('SIGSTOP');
    const answered = await post('permissions/ask/answer', { behavior: 'allow' });
    expect(answered.body).toMatchObject({ isFirst: true });
    const interrupted = post('control', { subtype: 'interrupt' });
    await post('prompts', { clientId: 'p2', content: 'go on', delivery: 'steer' });
    await until(async () => (await store.inbox.list('s')).some(({ state }) => state === 'taken'));
    killed.child.kill('SIGKILL');
    await killed.exited;

    runBridge({ ...options, command: scripted(listening(two)) });
    expect((await interrupted).status).toBeGreaterThanOrEqual(400);
    await until(() => heardIn(two).includes('go on'));
    await post('prompts', { clientId: 'p3', content: 'last', delivery: 'steer' });
    await until(() => heardIn(two).includes('last'));
    expect(heardIn(two)).toEqual(['initialize', 'go on', 'last']);
    expect(heardIn(one)).toEqual(['initialize', 'ask']);
    await until(async () => (await store.inbox.list('s')).every(({ state }) => state === 'delivered'));
  });

  it('[HB64] also when somebody else had to tell how the other ended', async () => {
    const stage = await LaunchStage.open();
    const file = join(stage.folder, 'heard');
    const { id } = await stage.launched(
      greetedThen(`require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        require('node:fs').appendFileSync(${JSON.stringify(file)}, line + '\\n');
      });`),
    );
    const { bridge, agent } = await stage.agentOf(id);
    process.kill(bridge, 'SIGSTOP');
    await stage.call('POST', `/api/sessions/${id}/prompts`, { clientId: 'p', content: 'wait for me' });
    await until(async () => (await stage.store.inbox.list(id)).some(({ state }) => state === 'taken'));
    process.kill(bridge, 'SIGKILL');
    await until(() => !isRunning(agent));
    await until(async () => (await stage.stateOf(id)) === 'disconnected');
    expect((await stage.call('POST', `/api/sessions/${id}/restart`, {})).status).toBe(200);
    await until(() => heardIn(file).includes('wait for me'));
  });
});

describe('an agent whose bridge was refused for a while', () => {
  it('[HB65] is the same agent: its question stays open, and it gets what it was answered meanwhile', async () => {
    const { hub, store, token } = await startTestHub();
    const [home, notes] = [temporaryFolder(), temporaryFolder()];
    const [heard, tokenFile] = [join(notes, 'heard'), join(notes, 'token')];
    const grant = { person: 'agent', name: 'a', scope: 'watch', session: 's', kind: 'agent' } as const;
    const first = await store.devices.add(grant);
    writeFileSync(tokenFile, first.token);
    const bridge = runBridge({
      hub: hub.url,
      home,
      command: scripted(listening(heard)),
      flags: ['--token-file', tokenFile],
    });
    const post = (path: string, body: object) =>
      call(hub.url, token, 'POST', `/api/sessions/s/${path}`, body);
    const asks = async () =>
      (await store.permissions.listOpen({ session: 's' })).items.map(({ requestId }) => requestId);
    await until(() => heardIn(heard).includes('initialize'));
    for (const content of ['ask 1', 'ask 2'])
      await post('prompts', { clientId: content, content, delivery: 'steer' });
    await until(async () => (await asks()).length === 2);
    // One that steers, and that the bridge has not acknowledged, comes once more under its uuid.
    await until(async () => (await store.inbox.list('s')).length === 0);
    await call(hub.url, token, 'DELETE', `/api/devices/${first.device.id}`);
    await until(() => bridge.stderr().includes('401'));
    await post('permissions/ask%201/answer', { behavior: 'allow' });
    writeFileSync(tokenFile, (await store.devices.add(grant)).token);
    await until(() => heardIn(heard).length >= 5);
    expect(await asks()).toEqual(['ask 2']);
    await post('permissions/ask%202/answer', { behavior: 'allow' });
    await until(() => heardIn(heard).length >= 6);
    expect(heardIn(heard).slice(0, 3)).toEqual(['initialize', 'ask 1', 'ask 2']);
    expect(new Set(heardIn(heard).slice(3, 5))).toEqual(new Set(['initialize', 'answer to ask 1']));
    expect(heardIn(heard)[5]).toBe('answer to ask 2');
  });
});

/** What an agent wrote down, in words. */
function heardIn(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const { request, response, message } = JSON.parse(line);
    return request?.subtype ?? message?.content ?? `answer to ${response.request_id}`;
  });
}
