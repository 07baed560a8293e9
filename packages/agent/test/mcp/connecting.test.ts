import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { isRunning } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pidIn } from '../tools/tool-bench.ts';
import {
  EVERYTHING,
  FILESYSTEM,
  nodeServer,
  oddServer,
  openServers,
  serveEverything,
  textOf,
} from './mcp-bench.ts';

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-mcp-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('MCP servers', () => {
  it('[MC1] run as children, side by side, and lend their tools', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'note.txt'), 'hello');
    const { run, statusOf, servers } = await openServers(
      { everything: nodeServer(EVERYTHING), files: nodeServer(FILESYSTEM, [folder]) },
      { cwd: folder },
    );
    expect(textOf(await run('mcp__everything__echo', { message: 'hi' }))).toBe('Echo: hi');
    expect(await run('mcp__files__read_text_file', { path: join(folder, 'note.txt') })).toMatchObject({
      structured: { structuredContent: { content: 'hello' } },
    });
    expect(statusOf('everything')).toMatchObject({
      status: 'connected',
      serverInfo: { name: 'mcp-servers/everything', version: expect.any(String) },
      config: { type: 'stdio', command: process.execPath },
      scope: 'cli',
      tools: expect.arrayContaining([expect.objectContaining({ name: 'echo' })]),
    });
    const echo = servers.tools().find(({ name }) => name === 'mcp__everything__echo');
    expect(echo).toMatchObject({
      isReadOnly: true,
      isEdit: false,
      description: expect.stringMatching(/echo/i),
    });
    expect(echo?.inputSchema()).toMatchObject({ type: 'object', properties: { message: {} } });
    const write = servers.tools().find(({ name }) => name === 'mcp__files__write_file');
    expect(write?.isReadOnly).toBe(false);
  });

  it.for(['streamableHttp', 'sse'] as const)('[MC1] are reached by URL: %s', async (kind) => {
    const port = await freePort();
    await serveEverything(kind, port);
    const url = `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`;
    const config = { type: kind === 'sse' ? ('sse' as const) : ('http' as const), url, headers: {} };
    const { run, statusOf } = await openServers({ remote: config });
    expect(statusOf('remote')).toMatchObject({ status: 'connected', config: { type: config.type, url } });
    expect(textOf(await run('mcp__remote__get-sum', { a: 2, b: 40 }))).toContain('42');
  });

  it('[MC2] that cannot be used fail by themselves, with the reason', async () => {
    const folder = await newFolder();
    const pidFile = join(folder, 'pid');
    const bench = await openServers(
      {
        good: oddServer('plain'),
        missing: { type: 'stdio', command: 'there-is-no-such-program', args: [], env: {} },
        refuses: oddServer('refuses'),
        hangs: oddServer('hangs', { PID_FILE: pidFile }),
        nobody: { type: 'http', url: `http://127.0.0.1:${await freePort()}/mcp`, headers: {} },
        nowhere: { type: 'sse', url: 'ftp://example.com', headers: {} },
        inHost: { type: 'sdk', name: 'inHost' },
      },
      { env: { ...process.env, MCP_TIMEOUT: '12000' } },
    );
    expect(bench.statusOf('good')).toMatchObject({ status: 'connected' });
    for (const [name, reason] of [
      ['missing', /Cannot start there-is-no-such-program/],
      ['refuses', /ended with code 3:\nfirst line\nthe token/],
      ['hangs', /did not answer within 12000 ms \(MCP_TIMEOUT\)/],
      ['nobody', /cannot be reached: ECONNREFUSED/],
      ['nowhere', /"url" is no http or https address/],
      ['inHost', /no host is connected/],
    ] as const) {
      expect(bench.statusOf(name)).toMatchObject({ status: 'failed', error: expect.stringMatching(reason) });
    }
    expect(isRunning(await pidIn(pidFile))).toBe(false);
    expect(bench.toolNames().every((name) => name.startsWith('mcp__good__'))).toBe(true);
  });

  it('[MC3] give their tools names that the model can use and no two share', async () => {
    const { toolNames, run, statusOf } = await openServers({
      'my odd.server': oddServer('names'),
      my__odd_server_: oddServer('plain'),
    });
    const names = toolNames();
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^mcp__my_odd_server__[a-zA-Z0-9_-]+$/);
    expect(names.every(({ length }) => length <= 128)).toBe(true);
    expect(textOf(await run('mcp__my_odd_server__we_ird_n_me'))).toBe('this is we ird/näme');
    expect(textOf(await run('mcp__my_odd_server__a_b'))).toBe('this is a.b');
    const other = names.find((name) => /__a_b_\w{8}$/.test(name)) ?? '';
    expect(textOf(await run(other))).toBe('this is a_b');
    const long = names.find((name) => name.includes('xxxx')) ?? '';
    expect(textOf(await run(long))).toBe(`this is ${'x'.repeat(300)}`);
    expect(statusOf('my__odd_server_')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('taken for those of "my odd.server"'),
    });
  });

  it('[MC4] may describe tools wrongly: these are left out and named, the others work', async () => {
    const { toolNames, problems, run } = await openServers({ odd: oddServer('broken') });
    for (const name of ['misspelt', 'listless', 'schemaless', 'lost', 'patient']) {
      expect(toolNames()).not.toContain(`mcp__odd__${name}`);
      expect(problems).toContainEqual(
        expect.stringMatching(new RegExp(`MCP server "odd": "${name}" .*left out`)),
      );
    }
    expect(problems).toHaveLength(6);
    expect(await run('mcp__odd__fail')).toMatchObject({ isError: true });
  });

  it('[MC5] that list tools without end are cut off at ten thousand', async () => {
    const { toolNames, problems } = await openServers({ odd: oddServer('endless') });
    expect(toolNames()).toHaveLength(10_000);
    expect(problems).toEqual([expect.stringContaining('too many tools; 10000')]);
  });

  it('[MC510] that describe tools by books are cut off at 16 MiB', async () => {
    const { toolNames, problems } = await openServers({ odd: oddServer('books') });
    expect(toolNames()).toHaveLength(15);
    expect(problems).toEqual([expect.stringContaining('too many tools')]);
  });

  it('[MC14] leave nothing running: not what ignores signals, not what became a daemon', async () => {
    const { servers, run } = await openServers({ odd: oddServer('plain') });
    const daemon = Number(textOf(await run('mcp__odd__daemon')));
    expect(isRunning(daemon)).toBe(true);
    await servers.close();
    // One that was killed takes a moment to go.
    await expect.poll(() => isRunning(daemon)).toBe(false);
    const pidFile = join(await newFolder(), 'pid');
    servers.add('stubborn', oddServer('hangs', { PID_FILE: pidFile }), 'cli');
    const connecting = servers.connect();
    const stubborn = await pidIn(pidFile);
    await servers.close();
    await expect.poll(() => isRunning(stubborn)).toBe(false);
    await connecting;
  });
});
