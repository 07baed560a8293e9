import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { isRunning } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { entryPoint } from '../src/command-line/entry-point.ts';

const AGENT = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));

/** An MCP client of an agent that serves its tools in a folder of its own. */
async function client(files: Record<string, string> = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-serve-')));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [AGENT, 'mcp', 'serve'],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder },
  });
  const agent = new Client({ name: 'test', version: '1' });
  await agent.connect(transport);
  onTestFinished(async () => {
    await agent.close();
    await rm(folder, { recursive: true, force: true });
  });
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await agent.callTool({ name, arguments: input });
    const text: string = Object(content)[0].text;
    return { isError: isError === true, text, result: isError ? undefined : JSON.parse(text) };
  };
  return { agent, folder, call, pid: transport.pid ?? 0 };
}

describe('mcp serve', () => {
  it('[MC581] serves the tools: what a client calls is done, and answered with the structured result', async () => {
    const { agent, folder, call } = await client();
    const { tools } = await agent.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep']));
    expect(names).not.toContain('AskUserQuestion');
    expect(await call('Bash', { command: 'printenv CLAUDE_CODE_ENTRYPOINT' })).toMatchObject({
      result: { stdout: expect.stringContaining('mcp') },
    });
    const file = join(folder, 'a.txt');
    expect(await call('Write', { file_path: file, content: 'hello' })).toMatchObject({
      result: { type: 'create', filePath: file },
    });
    expect(await call('Bash', { command: 'exit 3' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('3'),
    });
    expect((await call('Bash', {})).isError).toBe(true);
    await expect(agent.callTool({ name: 'Nope', arguments: {} })).rejects.toThrow('Tool Nope not found');
  });

  it('[MC582] rules that deny or ask refuse a call, and a policy against going without questions refuses what would be asked', async () => {
    const permissions = { deny: ['Bash(touch a:*)'], ask: ['Bash(touch b:*)'] };
    const { folder, call } = await client({
      '.claude/settings.json': JSON.stringify({ permissions }),
    });
    for (const name of ['a', 'b', 'c']) await call('Bash', { command: `touch ${name}` });
    expect(['a', 'b', 'c'].filter((name) => existsSync(join(folder, name)))).toEqual(['c']);
    const strict = await client({
      '.claude/settings.json': JSON.stringify({ permissions: { disableBypassPermissionsMode: 'disable' } }),
    });
    expect((await strict.call('Bash', { command: 'touch a' })).isError).toBe(true);
    expect((await strict.call('Bash', { command: 'ls' })).isError).toBe(false);
  });

  it('[MC583] a call that is cancelled, and the end of the client, end what runs', async () => {
    const { agent, folder, call, pid } = await client();
    const running = (): Promise<string> => readFile(join(folder, 'pid'), 'utf8').catch(() => '');
    const sleep = { name: 'Bash', arguments: { command: 'echo $$ > pid; exec sleep 100' } };
    for (const end of ['cancel', 'leave']) {
      await rm(join(folder, 'pid'), { force: true });
      const cancel = new AbortController();
      const waiting = agent.callTool(sleep, undefined, { signal: cancel.signal }).catch(() => 'ended');
      while (!(await running()).endsWith('\n')) await new Promise((resolve) => setImmediate(resolve));
      const sleeping = Number(await running());
      if (end === 'cancel') cancel.abort();
      else await agent.close();
      expect(await waiting).toBe('ended');
      // The next call is made when the one before it has ended.
      if (end === 'cancel') expect((await call('Bash', { command: 'echo next' })).result.stdout).toBe('next');
      expect(isRunning(sleeping)).toBe(false);
    }
    expect(isRunning(pid)).toBe(false);
  });

  it('[AG588] tells tools how the agent was started, unless a host says so', () => {
    for (const entry of ['cli', 'sdk-cli', 'mcp'] as const) expect(entryPoint({}, entry)).toBe(entry);
    expect(entryPoint({ CLAUDE_CODE_ENTRYPOINT: 'sdk-py' }, 'mcp')).toBe('sdk-py');
    expect(entryPoint({ CLAUDE_CODE_ACTION: '1' }, 'sdk-cli')).toBe('claude-code-github-action');
  });
});
