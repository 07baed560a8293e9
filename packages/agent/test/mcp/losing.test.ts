import { freePort } from '@signalbox/testing/free-port';
import { until } from '@signalbox/testing/until';
import { describe, expect, it } from 'vitest';
import { watchedBody } from '../../src/mcp/transport/watched-body.ts';
import { oddServer, openServers, serveEverything, textOf } from './mcp-bench.ts';
import { serveGreeting } from './web-server.ts';

const TOKEN = 'tok-3141592653';

describe('an MCP server that is lost', () => {
  it('[MC9] fails the call with its last words, and later calls with the reason, until it is reconnected', async () => {
    const { run, servers, statusOf, problems, toolNames } = await openServers({ odd: oddServer('plain') });
    await expect(run('mcp__odd__die')).rejects.toThrow(
      /MCP server "odd" was lost during the call: its process ended with code 7:\nI saw undefined and died/,
    );
    expect(statusOf('odd')).toMatchObject({ status: 'failed', error: expect.stringContaining('code 7') });
    expect(problems).toEqual([expect.stringContaining('MCP server "odd": it was lost')]);
    expect(toolNames()).toContain('mcp__odd__fail');
    await expect(run('mcp__odd__fail')).rejects.toThrow(
      'MCP server "odd" is not connected: its process ended with code 7',
    );
    await servers.reconnect('odd');
    expect(textOf(await run('mcp__odd__fail'))).toBe('it did not work');
  });

  it('[MC9] is also one that sends more than a message may have', async () => {
    const { run, statusOf } = await openServers({ odd: oddServer('plain') });
    await expect(run('mcp__odd__flood')).rejects.toThrow(/lost during the call.*bytes/);
    expect(statusOf('odd')).toMatchObject({ status: 'failed' });
  });

  it('[MC531] is also one that prints without end what is no message', async () => {
    const { statusOf } = await openServers({ odd: oddServer('prints') });
    expect(statusOf('odd')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('too many lines that are no messages'),
    });
  });

  it('[MC300] an answer that nests too deep fails its call, and the server goes on', async () => {
    const { run } = await openServers({ odd: oddServer('plain') });
    await expect(run('mcp__odd__deep')).rejects.toThrow(/levels deep/);
    expect(textOf(await run('mcp__odd__ask'))).toBe('undefined');
    const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
    const read = (type: string, text: string): Promise<string> => {
      const response = new Response(text, { headers: { 'content-type': type } });
      return watchedBody(response, () => {}).text();
    };
    await expect(read('application/json', deep)).rejects.toThrow('nests too deep; 512 levels');
    await expect(read('text/event-stream', `: "\ndata: ${deep}\n\n`)).rejects.toThrow('nests too deep');
    const half = '['.repeat(400);
    expect(await read('text/event-stream', `data: ${half}\n\ndata: ${half}\n\n`)).toContain(half);
    expect(await read('application/json', `["${deep}"]`)).toContain(deep);
  });

  it('[MC9] is one behind a URL that hangs up during a call, or says too much at once', async () => {
    const web = await serveGreeting();
    const { run } = await openServers({ remote: { type: 'http', url: web.url('/mcp'), headers: {} } });
    const failed = expect(run('mcp__remote__wait')).rejects.toThrow(
      /lost during the call: its answer broke off/,
    );
    await until(() => web.waiting() === 1);
    web.hangUp();
    await failed;
    const broken: unknown[] = [];
    const read = (type: string, text: string): Promise<string> => {
      const response = new Response(text, { headers: { 'content-type': type } });
      return watchedBody(response, (error) => broken.push(error), 10).text();
    };
    expect(await read('application/json', '0123456789')).toBe('0123456789');
    await expect(read('application/json', '0123456789\n\n')).rejects.toThrow(
      'too long; 10 bytes is the limit',
    );
    await expect(read('text/event-stream', 'data: 0123456789')).rejects.toThrow('too long');
    expect(await read('text/event-stream', 'data: 0123456789\n\n')).toContain('9');
    expect(broken).toHaveLength(2);
  });

  it.for(['/mcp', '/sse'] as const)('[MC10] behind a URL is dialled again by itself: %s', async (path) => {
    const web = await serveGreeting();
    const { run, statusOf, problems } = await openServers({
      remote: { type: path === '/sse' ? 'sse' : 'http', url: web.url(path), headers: {} },
    });
    web.restart();
    await until(async () => {
      // One that only answers is not missed before it is asked.
      await run('mcp__remote__greet').catch(() => {});
      return problems.length > 0 && statusOf('remote')?.status === 'connected';
    });
    expect(textOf(await run('mcp__remote__greet'))).toBe('good day');
  });

  it('[MC10] and does not come back has failed, with the reason', async () => {
    const port = await freePort();
    const { stop } = await serveEverything('streamableHttp', port);
    let changes = 0;
    const { run, statusOf } = await openServers(
      { remote: { type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} } },
      { onChange: () => (changes += 1) },
    );
    const before = changes;
    await stop();
    // By the call, unless its stream has broken before.
    await expect(run('mcp__remote__echo', { message: 'x' })).rejects.toThrow(/it cannot be reached/);
    // Lost, pending, and failed for good.
    await until(() => changes >= before + 3 && statusOf('remote')?.status === 'failed');
    await expect(run('mcp__remote__echo', { message: 'x' })).rejects.toThrow(
      /not connected: it cannot be reached/,
    );
  });

  it('[MC12] tells no secret of its configuration', async () => {
    const { servers, run, problems, statusOf } = await openServers(
      {
        odd: oddServer('plain', { TOKEN: '${MY_TOKEN}' }),
        refuses: oddServer('refuses', { TOKEN }),
        remote: {
          type: 'http',
          url: `http://user:${TOKEN}@127.0.0.1:${await freePort()}/mcp?key=${TOKEN}`,
          headers: { Authorization: `Bearer ${TOKEN}` },
        },
      },
      { env: { ...process.env, MY_TOKEN: TOKEN } },
    );
    const failure = await run('mcp__odd__die').catch((error: unknown) => String(error));
    expect(failure).toContain('I saw *** and died');
    expect(statusOf('refuses')?.error).toContain('the token *** is wrong');
    expect(JSON.stringify([servers.statuses(), problems])).not.toContain(TOKEN);
    expect(statusOf('remote')?.config).toEqual({
      type: 'http',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
    });
  });
});
