import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelRecorder, type ScriptedModel, startModelRecorder } from '../src/index.ts';
import { RECORDED_REPLY_LIMIT } from '../src/record/model-recorder.ts';
import { afterTools, ask, type Body, model, post, refusal, stream, turns, user } from './client.ts';

const KEY = 'sk-ant-very-secret-0123456789';

let folder = '';
let recorder: ModelRecorder | undefined;
let problems: unknown[] = [];
const servers: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-record-'));
  problems = [];
});

afterEach(async () => {
  await recorder?.close();
  recorder = undefined;
  for (const server of servers.splice(0)) server.close();
  await rm(folder, { recursive: true, force: true });
});

const fileOf = () => join(folder, 'session.json');

async function record(upstream: { url: string }): Promise<ModelRecorder> {
  recorder = await startModelRecorder({
    upstream: upstream.url,
    file: fileOf(),
    onProblem: (error) => problems.push(error),
  });
  return recorder;
}

/** A server of another make. */
async function upstreamThat(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** A real API, as far as a recorder can tell. */
function original(): Promise<ScriptedModel> {
  return turns(
    {
      when: { user: 'list' },
      say: [
        { thinking: 'Easy 🚂.', signature: 'c2ln' },
        'Let me look.\u2028Slowly.',
        { tool: 'Bash', input: { command: 'ls', flags: ['-l', 1] } },
        { block: { type: 'redacted_thinking', data: 'eA==' } },
      ],
    },
    { when: { tool_result: {} }, say: ['a.txt it is'], stop_reason: 'max_tokens' },
    { when: { user: 'again' }, times: 1, say: ['first time'] },
    { when: { user: 'again' }, say: ['second time'] },
  );
}

/** Everything of a streamed reply but the ids that each server gives its messages. */
async function heard(to: { url: string }, body: Body): Promise<unknown[]> {
  const events = await stream(to, body);
  return events.map(({ message, ...rest }) =>
    message ? { ...rest, message: { ...message, id: '' } } : rest,
  );
}

describe('recording', () => {
  it('[SM35] writes a scenario that replays the same streams, tool ids and usage included', async () => {
    const proxy = await record(await original());
    const script = [
      user('please list', {
        system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
      }),
      afterTools([{ tool: 'Bash', content: 'a.txt' }]),
      user('again'),
      user('again'),
    ];
    const live = [];
    for (const body of script) live.push(await heard(proxy, body));
    await proxy.close();
    expect(problems).toEqual([]);

    const replay = await model(fileOf());
    const replayed = [];
    for (const body of script) replayed.push(await heard(replay, body));
    expect(replayed).toEqual(live);
    expect(JSON.stringify(live)).toContain('second ');
  });

  it('[SM35] records replies that were not streamed, and leaves {{braces}} as they are', async () => {
    const upstream = await model({
      name: 'raw',
      templates: false,
      turns: [{ say: ['Use {{lastUserText}} and {{x}}.'] }],
    });
    const proxy = await record(upstream);
    const live = await ask(proxy, user('hi'));
    await proxy.close();
    const replayed = await ask(await model(fileOf()), user('hi'));
    expect(replayed).toEqual({ ...live, id: replayed.id });
  });

  it('[SM36] keeps the API key out of the file, the log and every error', async () => {
    const upstream = await turns({ say: ['your key is {{lastUserText}}, and yours only'] });
    const proxy = await record(upstream);
    const headers = { 'x-api-key': KEY, authorization: `Bearer ${KEY}-bearer` };
    const send = (body: unknown) =>
      fetch(`${proxy.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(await (await send(user(`is ${KEY} or ${KEY}-bearer my key?`))).text()).toContain(KEY);
    await upstream.close();
    const failed = await refusal(await send(user('hi')));
    expect(failed).toMatchObject({ status: 502, error: { type: 'api_error' } });
    await proxy.close();
    const file = await readFile(fileOf(), 'utf8');
    expect(file).toContain('[redacted]');
    expect(file + JSON.stringify(failed) + JSON.stringify(proxy.requests)).not.toContain(KEY);
    expect((await stat(fileOf())).mode & 0o077).toBe(0);
  });

  it("[SM36] passes the client's own key on to the upstream", async () => {
    const seen: unknown[] = [];
    const url = await upstreamThat((request, response) => {
      seen.push(request.headers['x-api-key'], request.url);
      response.end('{}');
    });
    await post(await record({ url: `${url}/base/` }), user('hi'), '/v1/messages?beta=true');
    expect(seen).toEqual(['sk-test-0123456789abcdef', '/base/v1/messages?beta=true']);
  });

  it('[SM37] passes on side requests, failures and other routes without recording them', async () => {
    const proxy = await record(await original());
    expect((await ask(proxy, user('quota', { max_tokens: 1 }))).stop_reason).toBe('end_turn');
    expect((await post(proxy, user('no such turn'))).status).toBe(400);
    expect((await post(proxy, { nonsense: true })).status).toBe(400);
    expect((await fetch(`${proxy.url}/v1/models?limit=5`)).status).toBe(200);
    expect((await fetch(`${proxy.url}/`, { method: 'HEAD' })).status).toBe(404);
    await proxy.close();
    expect(JSON.parse(await readFile(fileOf(), 'utf8'))).toMatchObject({ name: 'session', turns: [] });
  });

  it('[SM37] does not record a reply that broke off', async () => {
    const upstream = await turns({ say: ['one', { fault: { kind: 'cut', first: 1 } }, 'two'] });
    const proxy = await record(upstream);
    const broken = await post(proxy, user('hi', { stream: true }));
    await expect(broken.text()).rejects.toThrow();
    await stream(proxy, user('hi'));
    await proxy.close();
    expect(JSON.parse(await readFile(fileOf(), 'utf8')).turns).toHaveLength(1);
  });

  it('[SM37] passes on a reply that is too long to record, and says so', async () => {
    const content = [{ type: 'text', text: 'x'.repeat(RECORDED_REPLY_LIMIT) }];
    const url = await upstreamThat((_, response) => {
      response.end(JSON.stringify({ content, stop_reason: 'end_turn', usage: {} }));
    });
    const proxy = await record({ url });
    expect((await (await post(proxy, user('hi'))).text()).length).toBeGreaterThan(RECORDED_REPLY_LIMIT);
    await proxy.close();
    expect(problems).toEqual([expect.objectContaining({ code: 'RECORDING_FULL' })]);
    expect(JSON.parse(await readFile(fileOf(), 'utf8')).turns).toEqual([]);
  });

  it('[SM38] leaves no file behind when it cannot start', async () => {
    const { port, url } = await original();
    const start = startModelRecorder({ upstream: url, file: fileOf(), port });
    await expect(start).rejects.toMatchObject({ code: 'MODEL_LISTEN_FAILED' });
    await expect(stat(fileOf())).rejects.toThrow('ENOENT');
  });

  it('[SM38] writes over nothing, and takes no upstream that holds a secret', async () => {
    await writeFile(fileOf(), 'precious');
    const start = (upstream: string, file: string) => startModelRecorder({ upstream, file });
    await expect(start('http://127.0.0.1:9', fileOf())).rejects.toMatchObject({
      code: 'RECORDING_WRITE_FAILED',
      message: `cannot record into ${fileOf()}: the file exists already`,
    });
    expect(await readFile(fileOf(), 'utf8')).toBe('precious');
    await expect(start('http://127.0.0.1:9', join(folder, 'no', 'x.json'))).rejects.toMatchObject({
      code: 'RECORDING_WRITE_FAILED',
    });
    for (const upstream of [
      `https://${KEY}@example.com`,
      `https://example.com/?key=${KEY}`,
      `file:///${KEY}`,
      KEY,
    ]) {
      await expect(start(upstream, join(folder, 'y.json'))).rejects.toMatchObject({
        code: 'UPSTREAM_INVALID',
        message: expect.not.stringContaining(KEY),
      });
    }
  });
});
