import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startScriptedModel } from '@signalbox/model';
import { spawnTransport } from '@signalbox/transport';
import { afterEach, describe, expect, it } from 'vitest';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { agentEnv } from './drive-agent.ts';

const AGENT = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A host that knows WebSockets and JSON lines and nothing else. */
class PlainHost {
  readonly heard: Record<string, unknown>[] = [];
  /** What each agent that dialled showed. */
  readonly tokens: (string | undefined)[] = [];
  readonly #server: WebSocketServer;
  #waiting: (() => void)[] = [];

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (socket, { headers }) => {
      this.tokens.push(headers.authorization);
      socket.on('message', (data) => {
        for (const line of linesOf(data)) this.heard.push(JSON.parse(line));
        for (const look of this.#waiting) look();
      });
      for (const look of this.#waiting) look();
    });
  }

  static async listen(port = 0): Promise<PlainHost> {
    const server = new WebSocketServer({ host: '127.0.0.1', port });
    await once(server, 'listening');
    return new PlainHost(server);
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return address.port;
  }

  async socket(): Promise<WebSocket> {
    return this.#until(() => [...this.#server.clients][0]);
  }

  async say(content: string): Promise<void> {
    const message = {
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      session_id: '',
    };
    (await this.socket()).send(`${JSON.stringify(message)}\n`);
  }

  async result(): Promise<unknown> {
    return this.#until(() => this.heard.find(({ type }) => type === 'result'));
  }

  /** Gone without a word, as after kill -9. */
  async vanish(): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found !== undefined) resolve(found);
      };
      this.#waiting.push(look);
      look();
    });
  }
}

function linesOf(data: RawData): string[] {
  return (Buffer.isBuffer(data) ? data.toString() : '').split('\n').filter(Boolean);
}

/** A server that answers every upgrade with no. */
async function refusingServer(): Promise<number> {
  const server = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

async function dial(url: string, env: NodeJS.ProcessEnv = {}, more: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-sdk-url-'));
  const model = await startScriptedModel({ scenario: 'puppet' });
  const args = [
    AGENT,
    '--sdk-url',
    url,
    '-p',
    '--output-format',
    'stream-json',
    '--input-format',
    'stream-json',
    ...more,
    'x',
  ];
  const agent = await spawnTransport({
    command: process.execPath,
    args,
    cwd: folder,
    env: { ...agentEnv(folder, model.url), ...env },
  });
  cleanups.push(
    () => rm(folder, { recursive: true, force: true }),
    () => model.close(),
    () => agent.close(),
  );
  return agent;
}

describe('--sdk-url', () => {
  it('[AG21] is driven by a plain WebSocket server, and asks it for permissions', async () => {
    const host = await PlainHost.listen();
    cleanups.push(() => host.vanish());
    await dial(`ws://127.0.0.1:${host.port}/`);
    await host.say('run touch asked');
    const socket = await host.socket();
    socket.on('message', (data) => {
      for (const line of linesOf(data)) {
        const { type, request_id, request } = JSON.parse(line);
        if (type !== 'control_request') continue;
        const response = { behavior: 'allow', updatedInput: request.input };
        socket.send(
          JSON.stringify({
            type: 'control_response',
            response: { subtype: 'success', request_id, response },
          }),
        );
      }
    });
    expect(await host.result()).toMatchObject({ subtype: 'success' });
    expect(host.heard.map(({ type }) => type)).toContain('control_request');
  });

  it('[AG21] survives restarts of its host, and delivers what it said meanwhile', async () => {
    const first = await PlainHost.listen();
    const { port } = first;
    await dial(`ws://127.0.0.1:${port}/ws/some-session`);
    await first.say('slow 60');
    await first.socket();
    await first.vanish();
    const second = await PlainHost.listen(port);
    cleanups.push(() => second.vanish());
    expect(await second.result()).toMatchObject({
      subtype: 'success',
      result: expect.stringContaining('w59'),
    });
    second.heard.length = 0;
    await second.say('say still yours');
    expect(await second.result()).toMatchObject({ result: 'still yours' });
  });

  it('[AG514] reads stdin as well, where a new token for the next dial may come from', async () => {
    const first = await PlainHost.listen();
    const { port } = first;
    const agent = await dial(`ws://127.0.0.1:${port}/?secret=hidden`);
    await first.socket();
    expect(first.tokens).toEqual([undefined]);
    const say = (message: object): Promise<void> => agent.send(JSON.stringify(message));
    const content = 'say from stdin';
    await say({
      type: 'update_environment_variables',
      variables: { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'new' },
    });
    await say({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' });
    expect(await first.result()).toMatchObject({ result: 'from stdin' });
    await first.vanish();
    const second = await PlainHost.listen(port);
    cleanups.push(() => second.vanish());
    await second.socket();
    expect(second.tokens).toEqual(['Bearer new']);
    await second.say('say still yours');
    expect(await second.result()).toMatchObject({ result: 'still yours' });
    expect(agent.stderrTail).toMatch(/was closed: \d+.* Trying again\./);
    expect(agent.stderrTail).not.toContain('hidden');
  });

  it('[AG515] gives up on a host that is gone when a limit is set', async () => {
    const host = await PlainHost.listen();
    const agent = await dial(`ws://127.0.0.1:${host.port}/`, { SIGNALBOX_RECONNECT_ATTEMPTS: '0' });
    await host.socket();
    await host.vanish();
    expect((await agent.exited).code).toBe(1);
    expect(agent.stderrTail).toContain('was closed');
    expect(agent.stderrTail).not.toContain('Trying again');
    const wrong = await dial(`ws://127.0.0.1:9/`, { SIGNALBOX_RECONNECT_ATTEMPTS: 'many' });
    expect((await wrong.exited).code).toBe(1);
    expect(wrong.stderrTail).toContain('SIGNALBOX_RECONNECT_ATTEMPTS must be a number');
  });

  it('[AG1540] dials a host that is gone as often as the limit says, tells each time, and ends with code 1', async () => {
    const host = await PlainHost.listen();
    const agent = await dial(`ws://127.0.0.1:${host.port}/`, { SIGNALBOX_RECONNECT_ATTEMPTS: '2' });
    await host.socket();
    await host.vanish();
    expect((await agent.exited).code).toBe(1);
    expect(agent.stderrTail.match(/was closed: \d+\. Trying again\./g)).toHaveLength(1);
    expect(agent.stderrTail.match(/Cannot connect to .* Trying again\./g)).toHaveLength(1);
    expect(agent.stderrTail.match(/Cannot connect to /g)).toHaveLength(2);
  });

  it('[AG1541] no message shows the query or the credentials of a URL, whatever is wrong with it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-sdk-url-log-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const log = join(folder, 'debug.txt');
    const refusing = await refusingServer();
    const hybrid = { CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2: '1' };
    const cases: [string, string, NodeJS.ProcessEnv?][] = [
      ['ws://me:hidden@127.0.0.1:99999/?token=hidden', 'Not a URL: ws://127.0.0.1:99999/.'],
      ['http://me:hidden@127.0.0.1:9/?token=hidden', 'Unsupported protocol'],
      [`ws://me:hidden@127.0.0.1:${refusing}/?token=hidden`, 'the server answered 401'],
      ['ws://127.0.0.1:9/?token=hidden', 'ECONNREFUSED', { SIGNALBOX_RECONNECT_ATTEMPTS: '0' }],
      ['ws://me:hidden@127.0.0.1:9/x?token=hidden', 'Cannot tell where to post events', hybrid],
    ];
    for (const [url, words, env] of cases) {
      const agent = await dial(url, env, ['--debug-file', log]);
      expect((await agent.exited).code, url).toBe(1);
      expect(agent.stderrTail).toContain(words);
      expect(agent.stderrTail, url).not.toContain('hidden');
    }
    expect(await readFile(log, 'utf8').catch(() => '')).not.toContain('hidden');
  });

  it('[AG21] says so when nobody is there', async () => {
    const agent = await dial('http://127.0.0.1:9/');
    expect((await agent.exited).code).toBe(1);
    expect(agent.stderrTail).toContain('Unsupported protocol');
  });
});
