import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { askDuring, expectSmall, restart, SENDERS, seeds } from './hub-health.ts';

const MIB = 1024 * 1024;
/** Pings of the longest kind, as the bytes that a client writes. */
const PINGS = Buffer.concat(
  Array.from({ length: 8000 }, () =>
    Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125, 'x')]),
  ),
);

/** A session, and a token that may only watch. */
async function stage() {
  const hub = await HubProcess.start(temporaryFolder(), await freePort());
  const api = (method: string, path: string, body?: unknown) => call(hub.url, hub.token, method, path, body);
  await api('POST', '/api/sessions', { id: 's' });
  const { token } = (await api('POST', '/api/devices', { person: 'Wes', name: 'phone', scope: 'watch' }))
    .body;
  const dial = async (path: string, bearer: string = token): Promise<WebSocket> => {
    const headers = { authorization: `Bearer ${bearer}` };
    const url = `${hub.url.replace('http', 'ws')}${path}`;
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    socket.on('error', () => {});
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    return socket;
  };
  /** A connection that nobody reads, after its upgrade: what is written to it are frames. */
  const dialBare = async (path: string): Promise<Socket> => {
    const headers = {
      authorization: `Bearer ${token}`,
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const upgraded = once(request(`${hub.url}${path}`, { headers }).end(), 'upgrade');
    const socket: Socket = (await upgraded)[1];
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { hub, api, dial, dialBare };
}

describe('what costs its sender little', () => {
  it.each(['/api/stream', '/api/sessions/s/wire'])(
    '[FT370] pings on %s whose answers nobody reads: no more answers are kept than a few',
    async (path) => {
      const { hub, dial, dialBare } = await stage();
      const socket = await dialBare(path);
      const gone = once(socket, 'close');
      for (let sent = 0; sent < 200 * MIB && !socket.destroyed; sent += PINGS.length)
        if (!socket.write(PINGS)) await Promise.race([once(socket, 'drain'), gone]);
      await dial(path);
      expectSmall(hub);
    },
  );

  it('[FT371] a host that may only watch sends no long line, and none of very many values is read', async () => {
    const { hub, dial } = await stage();
    const watching = await dial('/api/sessions/s/wire');
    const closed = once(watching, 'close');
    watching.send(`{"type":"user","message":{"content":[${'{},'.repeat(10 * MIB)}1]}}\n`);
    expect((await closed)[0]).toBe(1009);
    const driving = await dial('/api/sessions/s/wire', hub.token);
    const answers = once(driving, 'message');
    driving.send(`{"type":"user","message":{"content":[${'{},'.repeat(8 * MIB)}1]}}\n`);
    expect(String((await answers)[0])).toContain('TOO_MANY_VALUES');
    expectSmall(hub);
  });

  it.each([
    ['an answer', '"type":"control_response","response":{"request_id":"x"}', 'ASK_TOO_LONG'],
    ['a withdrawal', '"type":"control_cancel_request","request_id":"x"', 'ASK_TOO_LONG'],
    ['the start of a task', '"type":"system","subtype":"task_started"', undefined],
  ])('[FT372] %s of an agent with millions of values is kept and not read', async (_name, fields, code) => {
    const { hub, dial, api } = await stage();
    const agent = await dial('/ws/s', hub.token);
    agent.send(`{${fields},"more":[${'{},'.repeat(14 * MIB)}1]}\n`);
    agent.send('{"type":"note"}\n');
    // What is behind the long line: to read that again and again would take most of the test.
    const { entries } = await until(async () => {
      const { body } = await api('GET', '/api/sessions/s/events?from=2');
      const isThere = ({ message }: { message?: { type?: string; code?: string } }) =>
        code ? message?.code === code : message?.type === 'note';
      return body.entries.some(isThere) && body;
    });
    expect(entries[0].seq).toBe(2);
    expectSmall(hub);
  });

  it('[FT373] an agent that asks without end and reads no answer is read no further', async () => {
    const { hub, dial, api } = await stage();
    const agent = await dial('/ws/s', hub.token);
    agent.pause();
    const id = 'x'.repeat(10_000);
    const sent = 50_000;
    for (let n = 0; n < sent; n += 1)
      agent.send(`{"type":"control_request","request_id":"${n}${id}","request":{"subtype":"nothing"}}\n`);
    for (let asked = 0; asked < 200 && agent.bufferedAmount > 0; asked += 1)
      expect((await api('GET', '/api/sessions')).status).toBe(200);
    expectSmall(hub);
  });

  it.each(seeds())(
    '[FT430] 100,000 lines of facts are published a few times, the last ones win, and a kill loses none (seed %i)',
    async (seed) => {
      const { hub, dial, api } = await stage();
      const watching = await dial('/api/stream', hub.token);
      let published = 0;
      watching.on('message', (data) => {
        if (Buffer.isBuffer(data)) published += data.toString().split('"type":"session"').length - 1;
      });
      const subscribed = once(watching, 'message');
      watching.send('{"type":"subscribe","id":"all","session":"*"}');
      await subscribed;
      const agent = await dial('/ws/s', hub.token);
      const random = new SeededRandom(seed);
      const factOf = (n: number): string =>
        random.chance(50)
          ? `{"type":"system","subtype":"init","cwd":"/work/${n}","model":"m${n}"}\n`
          : `{"type":"bridge","subtype":"${random.chance(50) ? 'started' : 'exited'}","command":["c"],"cwd":"/work/${n}","code":${n}}\n`;
      const last = '{"type":"system","subtype":"init","cwd":"/last","model":"last"}\n';
      for (let sent = 0; sent < 100_000; sent += 1000)
        agent.send(Array.from({ length: 1000 }, (_, n) => factOf(sent + n)).join(''));
      agent.send(last);
      await askDuring(
        'facts',
        hub,
        () => api('GET', '/api/sessions'),
        until(async () => (await api('GET', '/api/sessions/s')).body.folder === '/last'),
      );
      expect(published).toBeLessThan(5000);
      expectSmall(hub);
      await hub.kill();
      const again = await HubProcess.start(hub.home);
      const { body } = await call(again.url, again.token, 'GET', '/api/sessions/s');
      expect(body).toMatchObject({ folder: '/last', model: 'last' });
    },
  );

  it('[FT510] questions to an agent that does not read are refused before they fill the memory', async () => {
    const { hub, dial, api } = await stage();
    const agent = await dial('/ws/s', hub.token);
    agent.pause();
    const question = { subtype: 'set_model', model: 'x'.repeat(900_000) };
    const codes = new Set<string>();
    const asked = Promise.allSettled(
      Array.from({ length: 300 }, async () => {
        const { body } = await api('POST', '/api/sessions/s/control', question);
        codes.add(body.code);
      }),
    );
    await until(() => codes.has('AGENT_NOT_READING'));
    expectSmall(hub);
    // Those that were on their way fail with the agent.
    agent.terminate();
    await hub.kill();
    await asked;
  });

  it.each(['one agent', 'six agents', 'POSTs'])(
    '[FT431] lines of 60 MB of %s: one at a time is in memory, all are in the record, and others go on',
    async (from) => {
      const { hub, dial, api } = await stage();
      const agent = await dial('/ws/s', hub.token);
      const line = `{"type":"assistant","message":{"content":[{"type":"text","text":"${'x'.repeat(60_000_000)}"}]}}\n`;
      const folderIs = (id: string) =>
        until(async () => (await api('GET', `/api/sessions/${id}`)).body.folder === '/end');
      const end = '{"type":"system","subtype":"init","cwd":"/end"}\n';
      const attack = async (): Promise<unknown> => {
        if (from === 'POSTs') {
          const headers = { authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' };
          const body = `{"events":[${line}]}`;
          const url = `${hub.url}/session/s/events`;
          const posts = [1, 2, 3, 4].map(() => fetch(url, { method: 'POST', headers, body }));
          return expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        }
        if (from === 'one agent') {
          for (let sent = 0; sent < 4; sent += 1) agent.send(line);
          agent.send(end);
          return folderIs('s');
        }
        return Promise.all(
          [1, 2, 3, 4, 5, 6].map(async (n) => {
            const other = await dial(`/ws/s${n}`, hub.token);
            other.send(line);
            other.send(end);
            return folderIs(`s${n}`);
          }),
        );
      };
      await askDuring(`60 MB of ${from}`, hub, () => api('GET', '/api/sessions'), attack());
      expectSmall(hub);
      await restart(`60 MB of ${from}`, hub);
    },
  );

  it('[FT550] prompts of 31 MB at once: one at a time is in memory, all are taken, and others go on', async () => {
    const { hub, api } = await stage();
    const sessions = Array.from({ length: SENDERS }, (_, n) => `s${n + 1}`);
    for (const id of sessions) await api('POST', '/api/sessions', { id });
    const content = 'x'.repeat(31_000_000);
    const sent = Promise.all(
      sessions.map((id) => api('POST', `/api/sessions/${id}/prompts`, { clientId: id, content })),
    );
    const answers = await askDuring('31 MB of people', hub, () => api('GET', '/api/me'), sent);
    expect(answers.map(({ status, body }) => [status, body.content.length])).toEqual(
      sessions.map(() => [201, content.length]),
    );
    expectSmall(hub);
    await restart('31 MB of people', hub);
  });

  it('[FT3161] a long prompt that is moved again and again, and short ones beside it: one at a time is in memory, and others go on', async () => {
    const { hub, api } = await stage();
    const ids: string[] = [];
    for (const [n, content] of ['x'.repeat(12_000_000), 'one', 'two'].entries())
      ids.push((await api('POST', '/api/sessions/s/prompts', { clientId: `c${n}`, content })).body.id);
    const [long, one, two] = ids;
    const move = (id: string | undefined, before: string | null | undefined) =>
      api('PATCH', `/api/sessions/s/prompts/${id}`, { before });
    const attack = async (): Promise<number[]> => {
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, n) =>
          n % 4 === 0 ? move(one, n % 8 === 0 ? two : null) : move(long, n % 2 === 0 ? null : one),
        ),
      );
      return answers.map(({ status }) => status);
    };
    const statuses = await askDuring('moves of prompts', hub, () => api('GET', '/api/me'), attack());
    expect(new Set(statuses)).toEqual(new Set([200]));
    expectSmall(hub);
    await restart('moves of prompts', hub);
  });
});
