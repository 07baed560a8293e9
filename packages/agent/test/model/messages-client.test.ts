import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ModelClient } from '../../src/model/model-client.ts';
import { driveAgent, isResult } from '../drive-agent.ts';
import { ask, EVENT_TYPES, openApi, REQUEST, sse } from './api-stub.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-client-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('the model client', () => {
  it('[AG35] sends a key as x-api-key and a token as Bearer; where both are set, the key', async () => {
    const { url: ANTHROPIC_BASE_URL, asked } = await openApi();
    const token = { ANTHROPIC_BASE_URL, ANTHROPIC_AUTH_TOKEN: 'the-token' };
    expect(await ask({ ANTHROPIC_BASE_URL })).toEqual(EVENT_TYPES);
    await ask({ ...token, ANTHROPIC_API_KEY: '' });
    await ask(token);
    expect(asked.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
      ['the-key', undefined],
      [undefined, 'Bearer the-token'],
      ['the-key', undefined],
    ]);
    expect(asked[0]?.headers).toMatchObject({
      'anthropic-version': expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^signalbox-agent\//),
    });
  });

  it('[AG36] keeps the path of a base URL', async () => {
    const { url, asked } = await openApi();
    await ask({ ANTHROPIC_BASE_URL: `${url}/gateway/anthropic/` });
    await ask({ ANTHROPIC_BASE_URL: url });
    expect(asked.map((request) => request.url)).toEqual(['/gateway/anthropic/v1/messages', '/v1/messages']);
  });

  it.each(['localhost:8080', 'nowhere', 'ftp://localhost/'])(
    '[AG36] says at once that %s is no base URL',
    async (base) => {
      await expect(ask({ ANTHROPIC_BASE_URL: base })).rejects.toMatchObject({
        message: expect.stringMatching(/ANTHROPIC_BASE_URL is not .*: \S+$/),
        failure: 'invalid_request',
        isPassing: false,
      });
    },
  );

  it('[AG37] adds the headers of ANTHROPIC_CUSTOM_HEADERS, which win over its own', async () => {
    const { url: ANTHROPIC_BASE_URL, asked } = await openApi();
    const lines = 'X-One: 1\nX-Two: a:b\r\nnot a header\nAuthorization: Basic abc\nuser-agent: mine';
    await ask({ ANTHROPIC_BASE_URL, ANTHROPIC_CUSTOM_HEADERS: lines });
    expect(asked[0]?.headers).toMatchObject({
      'x-one': '1',
      'x-two': 'a:b',
      'x-api-key': 'the-key',
      authorization: 'Basic abc',
      'user-agent': 'mine',
    });
  });

  it('[AG513] tells the container and the remote session that it runs in', async () => {
    const { url: ANTHROPIC_BASE_URL, asked } = await openApi();
    await ask({ ANTHROPIC_BASE_URL, CLAUDE_CODE_CONTAINER_ID: 'c1', CLAUDE_CODE_REMOTE_SESSION_ID: 's1' });
    await ask({ ANTHROPIC_BASE_URL });
    expect(
      asked.map(({ headers }) => [
        headers['x-claude-remote-container-id'],
        headers['x-claude-remote-session-id'],
      ]),
    ).toEqual([
      ['c1', 's1'],
      [undefined, undefined],
    ]);
  });

  it('[AG37] says so when one of them cannot be sent, and does not try again', async () => {
    const agent = await driveAgent({ env: { ANTHROPIC_CUSTOM_HEADERS: 'not a name: 1' } });
    await agent.say('say never');
    expect(await agent.next(isResult)).toMatchObject({
      is_error: true,
      result: expect.stringContaining('not a name'),
    });
    expect(agent.messages.filter(({ type }) => type === 'system')).toHaveLength(1);
  });

  it('[AG38] says what the API said, up to a limit, and what its status means', async () => {
    const refusal = { type: 'error', error: { type: 'overloaded_error', message: 'come back' } };
    const { url: ANTHROPIC_BASE_URL } = await openApi(({ headers }, response) => {
      const isLong = headers['x-api-key'] === 'long';
      response.writeHead(529, { 'retry-after': '7' });
      if (isLong) response.write('x'.repeat(1_000_000));
      else response.end(JSON.stringify(refusal));
    });
    await expect(ask({ ANTHROPIC_BASE_URL })).rejects.toMatchObject({
      message: `API Error: 529 ${JSON.stringify(refusal)}`,
      failure: 'server_error',
      isOverload: true,
      retryAfterMs: 7000,
    });
    const long = await ask({ ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY: 'long' }).catch(String);
    expect(long.length).toBeLessThan(11_000);
    expect(long).toContain('529 xxx');
  });

  it('[AG39] an interrupt before the first word is no failure that is tried again', async () => {
    const agent = await driveAgent();
    agent.model.injectFault({ kind: 'stall', after: 0 });
    await agent.say('say never');
    await expect.poll(() => agent.model.requests.length).toBe(1);
    await agent.peer.request({ subtype: 'interrupt' });
    expect(await agent.next(isResult)).toMatchObject({ subtype: 'error_during_execution' });
    await expect.poll(() => agent.model.requests[0]?.state).toBe('left');
    const after = agent.messages.length;
    await agent.say('say still here');
    expect(await agent.next(isResult, after)).toMatchObject({ result: 'still here' });
    expect(agent.messages).not.toContainEqual(expect.objectContaining({ subtype: 'api_retry' }));
    expect(agent.model.requests).toHaveLength(2);
  });

  it('[AG39] an interrupt in mid-reply is thrown, and not taken for the end', async () => {
    const { url: ANTHROPIC_BASE_URL } = await openApi((_request, response) => response.write(sse()));
    const client = new ModelClient({ ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY: 'the-key' });
    const interrupt = new AbortController();
    const read = async (): Promise<void> => {
      for await (const { type } of client.stream(REQUEST, interrupt.signal)) {
        if (type === 'message_stop') setImmediate(() => interrupt.abort(new Error('interrupted')));
      }
    };
    await expect(read()).rejects.toThrow('interrupted');
  });

  it('[AG40] writes nothing to stdout, whatever ANTHROPIC_LOG says', async () => {
    const agent = await driveAgent({ env: { ANTHROPIC_LOG: 'debug' } });
    await agent.say('say hi');
    expect(await agent.next(isResult)).toMatchObject({ result: 'hi' });
    expect((await agent.finish()).stderr).toBe('');
  });
});

describe('the built agent', () => {
  it('[AG41] asks the model without loading the fetch or the streams of the platform', async () => {
    const folder = await newFolder();
    const [watch, loaded] = [join(folder, 'watch.cjs'), join(folder, 'loaded')];
    const note = `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(loaded)}, String(process.moduleLoadList)))`;
    await writeFile(watch, note);
    const agent = await driveAgent({ env: { NODE_OPTIONS: `--require=${watch}` } });
    await agent.say('say hi');
    expect(await agent.next(isResult)).toMatchObject({ result: 'hi' });
    await agent.finish();
    const modules = await readFile(loaded, 'utf8');
    expect(modules).toContain('http');
    expect(modules).not.toContain('undici');
    expect(modules).not.toContain('webstreams/readablestream');
  });
});
