import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startScriptedModel } from '@signalbox/model';
import { LIMITS } from '@signalbox/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CanUseTool, type ListenOptions, listen, type Query } from '../../src/index.ts';
import { collect, prompt, thrownBy } from '../fake-agent.ts';
import { BareClient } from './bare-client.ts';

const AGENT = fileURLToPath(new URL('../../../../dist/signalbox-agent.js', import.meta.url));

async function startListening(options: ListenOptions | 'any port' = {}) {
  const listener = listen(options === 'any port' ? {} : { port: 0, ...options });
  onTestFinished(() => listener.close());
  const url = await listener.url;
  const next = async (): Promise<Query> => {
    const { value } = await listener.next();
    if (!value) throw new Error('no agent came');
    return value;
  };
  return { listener, url, next };
}

function controlSaid(client: BareClient, requestId: string) {
  return client.hears(
    ({ type, response }) => type === 'control_response' && response.request_id === requestId,
  );
}

describe('listen', () => {
  it('[SD1100] gives a query for each agent that dials in with --sdk-url; ending it ends the agent', async () => {
    const model = await startScriptedModel({ scenario: 'puppet' });
    const home = await mkdtemp(join(tmpdir(), 'signalbox-listen-'));
    onTestFinished(async () => {
      await model.close();
      await rm(home, { recursive: true, force: true });
    });
    const { listener, url } = await startListening();
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'scripted',
    };
    const agents = [1, 2].map(() =>
      spawn(process.execPath, [AGENT, '-p', 'x', '--sdk-url', url], {
        cwd: home,
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    );
    onTestFinished(() => agents.forEach((agent) => void agent.kill('SIGKILL')));
    const exits = Promise.all(agents.map((agent) => once(agent, 'exit')));
    const ids = new Set<string>();
    for await (const agent of listener) {
      async function* prompts() {
        yield prompt(`say I am ${ids.size}`);
      }
      await agent.streamInput(prompts());
      for await (const message of agent) {
        if (message.type !== 'result') continue;
        expect(message).toMatchObject({ subtype: 'success', result: `I am ${ids.size}` });
        ids.add(message.session_id);
        break;
      }
      if (ids.size === 2) break;
    }
    expect((await exits).map(([code]) => code)).toEqual([0, 0]);
  });

  it('[SD1101] an agent that is cut off and dials again goes on in its query; one that does not ends it', async () => {
    const { url, next } = await startListening({ returnTimeoutMs: 20_000 });
    const first = await BareClient.dial(url);
    const agent = await next();
    first.play('A', 'a-1');
    expect((await agent.next()).value).toMatchObject({ type: 'system' });
    expect((await agent.next()).value).toMatchObject({ type: 'result', uuid: 'a-1' });
    first.socket.terminate();
    await once(first.socket, 'close');
    const again = await BareClient.dial(url, { 'x-last-request-id': 'a-1' });
    again.play('A', 'a-2');
    expect((await agent.next()).value).toMatchObject({ type: 'system' });
    expect((await agent.next()).value).toMatchObject({ type: 'result', uuid: 'a-2' });
    // Another one is another agent.
    await BareClient.dial(url);
    expect(await next()).not.toBe(agent);

    const hurried = await startListening({ returnTimeoutMs: 1 });
    const lost = await BareClient.dial(hurried.url);
    const query = await hurried.next();
    lost.socket.terminate();
    expect(await thrownBy(collect(query))).toMatchObject({ code: 'CLI_CONNECTION' });
  });

  it('[SD1102] observers hear all agents on /ws, and only watch unless they may drive', async () => {
    const { url, next } = await startListening();
    const observer = await BareClient.dial(`${url}/ws`);
    const agents = [await BareClient.dial(url), await BareClient.dial(url)];
    const queries = [await next(), await next()].map((query) => collect(query));
    for (const [i, agent] of agents.entries()) agent.play(`c-${i}`);
    for (const i of [0, 1])
      await observer.hears(({ type, session_id }) => type === 'result' && session_id === `c-${i}`);
    observer.say({ type: 'user', message: { role: 'user', content: 'x' }, session_id: 'c-0' });
    await observer.hears(({ text }) => text === 'Observers only watch here.');
    const late = await BareClient.dial(`${url}/ws`);
    await late.hears(({ text, session_id }) => text === 'claude code is connected' && session_id === 'c-1');
    for (const { socket } of agents) socket.close(1000);
    await Promise.all(queries);
    await observer.hears(
      () => observer.statuses.filter((text) => text.endsWith('disconnected')).length === 2,
    );
    expect(observer.statuses.filter((text) => text === 'claude code connected')).toHaveLength(2);
    expect(agents[0]?.heard.some(({ type }) => type === 'user')).toBe(false);
    const { url: closed } = await startListening({ observers: 'none' });
    expect(await BareClient.refusal(`${closed}/ws`)).toBe(404);
  });

  it('[SD1103] observers that may drive prompt the agent that they name, and the first answer counts', async () => {
    let onAborted = (): void => {};
    const aborted = new Promise<void>((resolve) => (onAborted = resolve));
    const canUseTool: CanUseTool = (_tool, _input, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          onAborted();
          reject(new Error('answered by somebody else'));
        });
      });
    for (const options of [{}, { canUseTool }]) {
      const { url, next } = await startListening({ ...options, observers: 'drive' });
      const [one, other] = [await BareClient.dial(`${url}/ws`), await BareClient.dial(`${url}/ws`)];
      const agents = [await BareClient.dial(url), await BareClient.dial(url)];
      for (const query of [await next(), await next()]) collect(query).catch(() => {});
      const [a, b] = agents;
      if (!a || !b) throw new Error('two agents were to come');
      for (const [agent, name] of [
        [a, 'A'],
        [b, 'B'],
      ] as const) {
        agent.play(name);
        await one.hears(({ type, session_id }) => type === 'result' && session_id === name);
      }
      const user = (content: string, session_id: string) =>
        one.say({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id });
      user('for B', 'B');
      await b.hears(({ message }) => message?.content === 'for B');
      user('for whom', '');
      await one.hears(({ text }) => text?.startsWith('Several agents'));
      user('for nobody', 'C');
      await one.hears(({ text }) => text?.startsWith('No agent has'));

      a.ask('q-1');
      for (const observer of [one, other]) await observer.hears(({ request_id }) => request_id === 'q-1');
      one.say({ type: 'control_response', request_id: 'q-1', permission: { allow: true } });
      const allowed = await controlSaid(a, 'q-1');
      expect(allowed.response.response).toEqual({ behavior: 'allow', updatedInput: { n: 1 } });
      await other.hears(({ type, request_id }) => type === 'control_cancel_request' && request_id === 'q-1');
      b.ask('q-2');
      await other.hears(({ request_id }) => request_id === 'q-2');
      const denial = { behavior: 'deny', message: 'no' };
      other.say({
        type: 'control_response',
        response: { subtype: 'success', request_id: 'q-2', response: denial },
      });
      expect((await controlSaid(b, 'q-2')).response.response).toEqual(denial);
      a.play('A');
      if ('canUseTool' in options) await aborted;
      for (const { heard } of agents)
        expect(heard.filter(({ type }) => type === 'control_response')).toHaveLength(1);
      expect(a.heard.some(({ type }) => type === 'user')).toBe(false);
      one.socket.send('garbage');
      await one.hears(({ text }) => text?.startsWith('A line is a JSON object'));
    }
  });

  it('[SD1524] an address that is none is refused, and harms nobody', async () => {
    const { url, next } = await startListening({ prompt: 'hi' });
    const { port } = new URL(url);
    for (const path of ['//', '//@:0', '/\\', 'http://[', '*', 'x']) {
      const socket = connect(Number(port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
      const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${[...lines, key].join('\r\n')}\r\n\r\n`);
      const [answer] = await once(socket, 'data');
      expect(`${path} ${answer}`).toMatch(/ HTTP\/1\.1 40[04] /);
    }
    await BareClient.dial(url);
    await next();
  });

  it('[SD1525] questions that wait for observers have a limit; what an agent asks beyond it is refused', async () => {
    const { url, next } = await startListening({ observers: 'drive' });
    const agent = await BareClient.dial(url);
    const query = collect(await next()).catch(() => {});
    for (let at = 0; at < LIMITS.openAsks.most; at += 1) agent.ask(`q-${at}`);
    agent.ask('one more');
    const refused = await controlSaid(agent, 'one more');
    expect(refused.response.error).toMatch(/^ASK_LIMIT/);
    const observer = await BareClient.dial(`${url}/ws`);
    observer.say({ type: 'control_response', request_id: 'q-7', permission: { allow: true } });
    await controlSaid(agent, 'q-7');
    agent.ask('room again');
    await observer.hears(({ request_id }) => request_id === 'room again');
    agent.socket.terminate();
    void query;
  });

  it('[SD1104] takes the first free port of 8765 to 8864, and no page of another site, nor one without the token', async () => {
    const first = await startListening('any port');
    const second = await startListening('any port');
    const ports = [first, second].map(({ url }) => Number(new URL(url).port));
    expect(ports.every((port) => port >= 8765 && port <= 8864)).toBe(true);
    expect(ports[0]).not.toBe(ports[1]);
    for (const path of ['', '/ws']) {
      const refusal = BareClient.refusal(`${first.url}${path}`, { origin: 'https://example.com' });
      expect(await refusal).toBe(403);
    }
    expect(await BareClient.refusal(first.url, { host: 'example.com' })).toBe(403);
    const guarded = await startListening({ token: 'secret' });
    expect(await BareClient.refusal(guarded.url)).toBe(401);
    await BareClient.dial(guarded.url, { authorization: 'Bearer secret' });
    await BareClient.dial(`${guarded.url}/?token=secret`);
    await guarded.next();

    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await thrownBy(listen({ port }).next())).toMatchObject({ code: 'LISTEN_FAILED' });
  });
});
