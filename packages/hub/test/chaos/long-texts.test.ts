import { once } from 'node:events';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { askDuring, expectSmall, restart } from './hub-health.ts';

async function stage() {
  const hub = await HubProcess.start(temporaryFolder(), await freePort());
  const api = (method: string, path: string, body?: unknown, bearer = hub.token) =>
    call(hub.url, bearer, method, path, body);
  await api('POST', '/api/sessions', { id: 's' });
  const watcher = async (): Promise<string> =>
    (await api('POST', '/api/devices', { person: 'Wes', name: 'phone', scope: 'watch' })).body.token;
  const others = await watcher();
  const dial = async (path: string, bearer: string): Promise<WebSocket> => {
    const headers = { authorization: `Bearer ${bearer}` };
    const socket = new WebSocket(`${hub.url.replace('http', 'ws')}${path}`, {
      headers,
      perMessageDeflate: false,
    });
    socket.on('error', () => {});
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    return socket;
  };
  return { hub, api, watcher, dial, asOthers: () => call(hub.url, others, 'GET', '/api/sessions') };
}

/** Two prompts of 20 MB each wait in session `s`. */
async function longPrompts({ api }: Awaited<ReturnType<typeof stage>>): Promise<void> {
  for (const clientId of ['one', 'two'])
    await api('POST', '/api/sessions/s/prompts', { clientId, content: 'x'.repeat(20_000_000) });
}

describe('long texts that cost little to send', () => {
  it.each([
    ['ten million lines', 'a\n'.repeat(10_000_000)],
    ['many blocks', Array.from({ length: 9000 }, () => ({ type: 'text', text: 'x'.repeat(3000) }))],
  ])('[FT3810] a prompt of %s is taken, and others are answered meanwhile', async (name, content) => {
    const { hub, api, asOthers } = await stage();
    const sent = api('POST', '/api/sessions/s/prompts', { clientId: 'long', content });
    const { status, body } = await askDuring(name, hub, asOthers, sent);
    expect([status, body.content]).toEqual([201, content]);
    expectSmall(hub);
    await restart(name, hub);
  });

  it('[FT3811] who may watch asks a hundred times to be shown long prompts and reads nothing: one of them is in memory', async () => {
    const parts = await stage();
    const { hub, watcher, dial, asOthers } = parts;
    await longPrompts(parts);
    const socket = await dial('/api/stream', await watcher());
    socket.pause();
    for (let n = 0; n < 100; n += 1)
      socket.send(JSON.stringify({ type: 'subscribe', id: `i${n}`, session: 's' }));
    let asked = 0;
    const attack = until(() => asked >= 50);
    const ask = async (): Promise<void> => {
      await asOthers();
      asked += 1;
    };
    await askDuring('long prompts that nobody reads', hub, ask, attack);
    expectSmall(hub);
    await restart('long prompts that nobody reads', hub);
  });

  it('[FT3812] ten viewers of one device are all shown long prompts, one after the other, and stay', async () => {
    const parts = await stage();
    const { hub, api, watcher, dial, asOthers } = parts;
    // Beside the prompts there is something in the record, and nobody who would take them.
    const agent = await dial('/ws/s', hub.token);
    agent.send('{"type":"system","subtype":"init","cwd":"/work","model":"m"}\n');
    const session = async () => (await api('GET', '/api/sessions/s')).body;
    await until(async () => (await session()).folder === '/work');
    agent.terminate();
    await until(async () => (await session()).state === 'disconnected');
    await longPrompts(parts);
    const token = await watcher();
    const shown = async (): Promise<[number, number]> => {
      const socket = await dial('/api/stream', token);
      const snapshot = new Promise<{ prompts: { content: string }[] }>((resolve, reject) => {
        socket.once('close', (code) => reject(new Error(`closed with ${code}`)));
        socket.on('message', (data) => {
          const text = Buffer.isBuffer(data) ? data.toString() : '';
          for (const line of text.split('\n').filter(Boolean)) {
            const message = JSON.parse(line);
            if (message.type === 'snapshot') resolve(message);
          }
        });
      });
      socket.send('{"type":"subscribe","id":"i","session":"s"}');
      const { prompts } = await snapshot;
      const answered = once(socket, 'message');
      socket.send('{"type":"look","id":"j","isLooking":true}');
      await answered;
      return [socket.readyState, prompts.reduce((sum, { content }) => sum + content.length, 0)];
    };
    const all = Promise.all(Array.from({ length: 10 }, shown));
    const seen = await askDuring('long prompts of ten viewers', hub, asOthers, all);
    expect(seen).toEqual(Array.from({ length: 10 }, () => [WebSocket.OPEN, 40_000_000]));
    expectSmall(hub);
  });

  it('[FT3813] an agent that starts sub-agents with long descriptions is not kept in memory', async () => {
    const { hub, api, dial, asOthers } = await stage();
    const agent = await dial('/ws/s', hub.token);
    const description = 'd'.repeat(3_900_000);
    const attack = async (): Promise<void> => {
      for (let n = 0; n < 150; n += 1) {
        const start = { type: 'system', subtype: 'task_started', task_id: `t${n}`, tool_use_id: `u${n}` };
        agent.send(`${JSON.stringify({ ...start, description: `${n}${description}` })}\n`);
        await until(() => agent.bufferedAmount < description.length);
      }
      agent.send('{"type":"system","subtype":"init","cwd":"/end","model":"m"}\n');
      await until(async () => (await api('GET', '/api/sessions/s')).body.folder === '/end');
    };
    await askDuring('long descriptions', hub, asOthers, attack());
    expectSmall(hub);
    const asked = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, agent_id: 't149' };
    agent.send(`${JSON.stringify({ type: 'control_request', request_id: 'q', request: asked })}\n`);
    const [open] = await until(async () => {
      const { items } = (await api('GET', '/api/permissions')).body;
      return items.length > 0 && items;
    });
    expect(open.parent).toMatchObject({ toolUseId: 'u149', description: `149${'d'.repeat(997)}` });
  });

  it('[FT3814] rules are proposed of calls with long inputs, and none of those is kept in memory', async () => {
    const { hub, api, dial, watcher, asOthers } = await stage();
    const agent = await dial('/ws/s', hub.token);
    const more = 'm'.repeat(3_900_000);
    const token = await watcher();
    const attack = async () => {
      for (let n = 0; n < 100; n += 1) {
        const input = { command: 'npm test', more: `${n}${more}` };
        const request = { subtype: 'can_use_tool', tool_name: 'Bash', input };
        agent.send(`${JSON.stringify({ type: 'control_request', request_id: `q${n}`, request })}\n`);
        const answer = `/api/sessions/s/permissions/q${n}/answer`;
        await until(async () => (await api('POST', answer, { behavior: 'allow' })).status === 200);
      }
      return api('GET', '/api/rules/suggestions', undefined, token);
    };
    const { body } = await askDuring('long inputs', hub, asOthers, attack());
    expect(body.items).toMatchObject([
      { rule: 'Bash(npm test)', allowed: 100 },
      { rule: 'Bash(npm test:*)', allowed: 100 },
    ]);
    expectSmall(hub);
  });
});
