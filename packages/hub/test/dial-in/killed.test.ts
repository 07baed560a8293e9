import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, dialAgent, startModel, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { runBridge, scripted } from '../bridge/run-bridge.ts';
import { TestViewer, type Told } from '../live/test-viewer.ts';

describe('a hub that is killed', () => {
  it('[HB2] finds the open question again, and its answer goes to the agent, which went on', async () => {
    const { home, port, hub, model, agentToken } = await stage();
    dialAgent(`ws://127.0.0.1:${port}/ws/s`, agentToken, model.url);
    const before = await TestViewer.connect(hub.url, hub.token);
    await before.ask({ type: 'subscribe', session: 's' });
    await call(hub.url, hub.token, 'POST', '/api/sessions/s/prompts', {
      clientId: 'p',
      content: 'run touch asked',
    });
    const { permission } = await before.find(({ type }) => type === 'permission');
    await hub.kill();

    const next = await HubProcess.start(home, port);
    const open = await call(next.url, next.token, 'GET', '/api/permissions');
    expect(open.body.items).toMatchObject([{ requestId: permission.requestId, state: 'open' }]);
    const after = await TestViewer.connect(next.url, next.token);
    await after.ask({ type: 'subscribe', session: 's', cursor: before.cursor });
    await until(
      async () => (await call(next.url, next.token, 'GET', '/api/sessions/s')).body.state === 'asking',
    );
    const path = `/api/sessions/s/permissions/${permission.requestId}/answer`;
    const answer = await call(next.url, next.token, 'POST', path, { behavior: 'allow' });
    expect(answer.body).toMatchObject({ isFirst: true, permission: { state: 'answered' } });
    const result = await after.find(({ message }) => message?.type === 'result');
    expect(result.message).toMatchObject({ subtype: 'success' });
    await expectWholeRecord(next, [...before.entries, ...after.entries], 1);
  });

  it('[HB3] in mid-turn costs no viewer a line: what it has before and after is the record', async () => {
    const { home, port, hub, model, agentToken } = await stage();
    dialAgent(`ws://127.0.0.1:${port}/ws/s`, agentToken, model.url);
    const before = await TestViewer.connect(hub.url, hub.token);
    await before.ask({ type: 'subscribe', session: 's' });
    await call(hub.url, hub.token, 'POST', '/api/sessions/s/prompts', {
      clientId: 'p1',
      content: 'slow 150',
    });
    await call(hub.url, hub.token, 'POST', '/api/sessions/s/prompts', {
      clientId: 'p2',
      content: 'say second',
    });
    await until(() => before.told.filter(({ type }) => type === 'preview').length > 20);
    await hub.kill();

    const next = await HubProcess.start(home, port);
    const after = await TestViewer.connect(next.url, next.token);
    await after.ask({ type: 'subscribe', session: 's', cursor: before.cursor });
    await after.find(({ message }) => message?.type === 'result' && message.result === 'second');
    const entries = [...before.entries, ...after.entries];
    const results = entries.flatMap(({ message }) => (message.type === 'result' ? [message.result] : []));
    expect(results).toEqual([Array.from({ length: 150 }, (_, n) => `w${n}`).join(' '), 'second']);
    await expectWholeRecord(next, entries, 2);
  });

  it('[HB4] again and again gets every line of an agent behind a bridge, once and in order', async () => {
    const { home, port, hub: first } = await stage();
    const code = `let n = 0;
      setInterval(() => { for (let i = 0; i < 5 && n < 600; i += 1) say({ type: 'note', n: ++n }); }, 25);
      process.stdin.on('data', () => {}).on('end', () => process.exit(0));`;
    runBridge({
      hub: `ws://127.0.0.1:${port}`,
      session: 's',
      home: temporaryFolder(),
      command: scripted(code),
      env: { SIGNALBOX_TOKEN: first.token },
    });
    let hub = first;
    for (const point of [40, 200, 400]) {
      await until(async () => (await notesIn(hub)).length >= point);
      await hub.kill();
      hub = await HubProcess.start(home, port);
    }
    await until(async () => (await notesIn(hub)).length >= 600);
    expect(await notesIn(hub)).toEqual(Array.from({ length: 600 }, (_, n) => n + 1));
    const session = await call(hub.url, hub.token, 'GET', '/api/sessions/s');
    expect(session.body.agent).toContain('-e');
  });

  it('[HB63] keeps the question of an agent that takes a second greeting for a first one', async () => {
    const { home, port, hub } = await stage();
    const code = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { type, request_id, request, response } = JSON.parse(line);
      if (request?.subtype === 'initialize')
        say({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
      if (type === 'user')
        say({ type: 'control_request', request_id: 'q', request:
          { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't' } });
      if (type === 'control_response') say({ type: 'note', got: response.response.behavior });
    });`;
    runBridge({
      hub: `ws://127.0.0.1:${port}`,
      session: 's',
      home: temporaryFolder(),
      command: scripted(code),
      env: { SIGNALBOX_TOKEN: hub.token },
    });
    const prompt = { clientId: 'p', content: 'ask' };
    await call(hub.url, hub.token, 'POST', '/api/sessions/s/prompts', prompt);
    const asks = async ({ url, token }: HubProcess): Promise<Told[]> =>
      (await call(url, token, 'GET', '/api/permissions')).body.items;
    await until(async () => (await asks(hub)).length === 1);
    await hub.kill();

    const next = await HubProcess.start(home, port);
    const state = async (): Promise<string> =>
      (await call(next.url, next.token, 'GET', '/api/sessions/s')).body.state;
    await until(async () => (await state()) === 'asking');
    // It was greeted again once a second answer to that is in the record.
    await until(async () => (await messagesIn(next, 'control_response')).length === 2);
    expect(await asks(next)).toMatchObject([{ requestId: 'q', state: 'open' }]);
    const path = '/api/sessions/s/permissions/q/answer';
    await call(next.url, next.token, 'POST', path, { behavior: 'allow' });
    const [note] = await until(async () => {
      const notes = await messagesIn(next, 'note');
      return notes.length > 0 ? notes : undefined;
    });
    expect(note).toEqual({ type: 'note', got: 'allow' });
  });
});

async function stage() {
  const home = temporaryFolder();
  const port = await freePort();
  const hub = await HubProcess.start(home, port);
  const model = await startModel();
  const created = await call(hub.url, hub.token, 'POST', '/api/sessions', { id: 's' });
  return { home, port, hub, model, agentToken: created.body.token };
}

async function recordOf({ url, token }: HubProcess): Promise<Told[]> {
  return (await call(url, token, 'GET', '/api/sessions/s/events?from=1')).body.entries;
}

async function messagesIn(hub: HubProcess, type: string): Promise<Told[]> {
  return (await recordOf(hub)).flatMap(({ message }) => (message.type === type ? [message] : []));
}

async function notesIn(hub: HubProcess): Promise<number[]> {
  return (await messagesIn(hub, 'note')).map(({ n }) => n);
}

/** Nothing is missing, nothing came twice, and every prompt is in the record once. */
async function expectWholeRecord(hub: HubProcess, seen: readonly Told[], prompts: number): Promise<void> {
  const record = await recordOf(hub);
  expect(seen.map(({ seq }) => seq)).toEqual(record.map(({ seq }) => seq));
  expect(seen.map(({ message }) => message)).toEqual(record.map(({ message }) => message));
  expect(
    record.filter(({ author, message }) => author?.by === 'person' && message.type === 'user'),
  ).toHaveLength(prompts);
  expect(record.filter(({ message }) => message.type === 'hub')).toEqual([]);
}
