import { execFileSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandHome } from './run-command.ts';

const SERVER = `
process.stdin.setEncoding('utf8').on('data', (text) => {
  for (const line of text.split('\\n').filter(Boolean)) {
    const { id, method, params } = JSON.parse(line);
    const result = method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } }
      : {};
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }
});`;

async function json(...path: string[]): Promise<unknown> {
  return JSON.parse(await readFile(join(...path), 'utf8'));
}

describe('signalbox-agent mcp', () => {
  it('[MC730] adds and removes servers in the files that claude uses, and says where', async () => {
    const { home, project, run } = await commandHome();
    const file = join(home, '.claude.json');
    expect(await run(['mcp', 'add', 'one', '-e', 'A=1', '-e', 'B=x=y', '--', 'node', 'a', '--flag'])).toEqual(
      {
        code: 0,
        stdout: `Added stdio MCP server one with command: node a --flag to local config\nFile modified: ${file} [project: ${project}]\n`,
        stderr: '',
      },
    );
    const remote = [
      'http://127.0.0.1:9/mcp?token=hidden',
      '-H',
      'X-A: b',
      '-H',
      'Authorization: Bearer hidden',
    ];
    const two = await run(['mcp', 'add', '-s', 'user', '--transport', 'http', 'two', ...remote]);
    expect(two.stdout).toBe(
      `Added HTTP MCP server two with URL: http://127.0.0.1:9/mcp to user config\nHeaders: {\n  "X-A": "b",\n  "Authorization": "[REDACTED]"\n}\nFile modified: ${file}\n`,
    );
    await writeFile(join(project, '.mcp.json'), '{"other": 1}');
    const three = [
      'mcp',
      'add-json',
      'three',
      '{"type":"sse","url":"http://127.0.0.1:9"}',
      '--scope=project',
    ];
    expect((await run(three)).stdout).toBe('Added sse MCP server three to project config\n');
    expect(await json(file)).toEqual({
      projects: {
        [project]: {
          mcpServers: {
            one: { type: 'stdio', command: 'node', args: ['a', '--flag'], env: { A: '1', B: 'x=y' } },
          },
        },
      },
      mcpServers: {
        two: {
          type: 'http',
          url: 'http://127.0.0.1:9/mcp?token=hidden',
          headers: { 'X-A': 'b', Authorization: 'Bearer hidden' },
        },
      },
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const three2 = { type: 'sse', url: 'http://127.0.0.1:9' };
    expect(await json(project, '.mcp.json')).toEqual({ other: 1, mcpServers: { three: three2 } });
    expect((await run(['mcp', 'remove', 'three'])).stdout).toBe(
      `Removed MCP server "three" from project config\nFile modified: ${join(project, '.mcp.json')}\n`,
    );
    expect(await json(project, '.mcp.json')).toEqual({ other: 1, mcpServers: {} });
    await run(['mcp', 'add', '-s', 'user', 'one', 'other']);
    const unclear = await run(['mcp', 'remove', 'one']);
    expect(unclear).toMatchObject({ code: 1, stdout: '' });
    expect(unclear.stderr).toContain('exists in multiple scopes');
    expect((await run(['mcp', 'remove', 'one', '-s', 'user'])).code).toBe(0);
    expect(await json(file)).toMatchObject({ projects: { [project]: { mcpServers: { one: {} } } } });
  });

  it('[MC731] refuses what makes no sense in the words of claude, with code 1 and nothing written', async () => {
    const { home, project, run } = await commandHome();
    await run(['mcp', 'add', 'there', 'node']);
    const before = await json(home, '.claude.json');
    for (const [args, text] of [
      [['add'], "error: missing required argument 'name'"],
      [['add', 'x'], "error: missing required argument 'commandOrUrl'"],
      [['add', 'there', 'node'], 'MCP server there already exists in local config'],
      [['add', 'a b', 'node'], 'Invalid name a b. Names can only contain'],
      [['add', 'x', 'node', '-s', 'all'], 'Invalid scope: all. Must be one of'],
      [['add', 'x', 'node', '-t', 'tcp'], 'Invalid transport type: tcp. Must be one of'],
      [['add', 'x', 'node', '-e', 'A'], 'Invalid environment variable format: A'],
      [['add', 'x', 'http://x', '-t', 'http', '-H', 'A'], 'Invalid header format: "A"'],
      [['add', 'x', 'node', '--flag'], "error: unknown option '--flag'"],
      [['add-json', 'x', '{'], 'Invalid configuration'],
      [['add-json', 'x', '{"type":"tcp"}'], 'Invalid configuration'],
      [['add-json', 'x', '{"type":"sdk","name":"x"}'], 'type "sdk"'],
      [['get', 'x'], 'No MCP server named "x". Configured servers: there'],
      [['remove', 'x'], 'No MCP server named "x". Configured servers: there'],
      [['remove', 'there', '-s', 'user'], 'No MCP server named "there" in user scope'],
      [['nonsense'], "error: unknown command 'nonsense'"],
      [[], 'Usage: signalbox-agent mcp'],
    ] as const) {
      const refused = await run(['mcp', ...args]);
      expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(text) });
    }
    expect(await json(home, '.claude.json')).toEqual(before);
    await writeFile(join(project, '.mcp.json'), '{');
    const broken = await run(['mcp', 'add', '-s', 'project', 'x', 'node']);
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('.mcp.json') });
    expect(await readFile(join(project, '.mcp.json'), 'utf8')).toBe('{');
  });

  it('[MC732] lists servers with how a connection went; those of a project wait for trust', async () => {
    const { home, project, run } = await commandHome();
    expect((await run(['mcp', 'list'])).stdout).toContain('No MCP servers configured');
    const server = join(home, 'server.mjs');
    await writeFile(server, SERVER);
    await run(['mcp', 'add', 'good', '-e', 'A=1', '--', process.execPath, server]);
    await run(['mcp', 'add', 'bad', '--', join(home, 'nowhere')]);
    await run(['mcp', 'add', '-s', 'project', 'theirs', '--', 'touch', join(home, 'started')]);
    const { code, stdout } = await run(['mcp', 'list']);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'Checking MCP server health…',
      '',
      `theirs: touch ${join(home, 'started')} - ⏸ Pending approval (run \`signalbox trust\` to approve)`,
      `good: ${process.execPath} ${server} - ✔ Connected`,
      expect.stringMatching(/^bad: .*nowhere {2}- ✘ Failed to connect — .*ENOENT/),
      '',
    ]);
    await expect(stat(join(home, 'started'))).rejects.toThrow('ENOENT');
    expect((await run(['mcp', 'get', 'good'])).stdout).toBe(
      `good:\n  Scope: Local config (private to you in this project)\n  Status: ✔ Connected\n  Type: stdio\n  Command: ${process.execPath}\n  Args: ${server}\n  Environment:\n    A=1\n\nTo remove this server, run: signalbox-agent mcp remove good -s local\n`,
    );
    await mkdir(join(project, '.claude'));
    expect((await run(['mcp', 'get', 'theirs'])).stdout).toContain('Scope: Project config');
  });

  it('[MC780] shows what the file of a repository says without letting it speak to the terminal', async () => {
    const { project, run } = await commandHome();
    const mcpServers = {
      'evil\u001b]0;title\u0007\u202e': { command: 'x\u001b[2J', args: ['a\nfake: y - ✔ Connected'] },
      remote: { type: 'http', url: 'http://127.0.0.1:9/\u001b[1m', headers: { a: 'b\u001b[2J\nStatus: ✔' } },
    };
    await writeFile(join(project, '.mcp.json'), JSON.stringify({ mcpServers }));
    const all = await Promise.all(
      [['list'], ['get', 'remote'], ['get', 'nobody']].map((words) => run(['mcp', ...words])),
    );
    const text = all.map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(text).toContain('evil\\u001b]0;title\\u0007\\u202e: x\\u001b[2J a\\nfake: y');
    expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    expect(text.split('\n').filter((line) => /^(?:fake|Status)/.test(line))).toEqual([]);
  });

  it('[MC733] keeps local servers by the repository, for its worktrees too; a folder that only claims to be one has none', async () => {
    const { home, project, run } = await commandHome();
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], { cwd: project });
    };
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const worktree = join(home, 'worktree');
    git('worktree', 'add', '-q', worktree);
    await mkdir(join(project, 'below'));
    await run(['mcp', 'add', 'one', 'node'], { cwd: join(project, 'below') });
    await run(['mcp', 'add', 'two', 'node'], { cwd: worktree });
    const servers = { one: { command: 'node' }, two: { command: 'node' } };
    expect(await json(home, '.claude.json')).toMatchObject({
      projects: { [project]: { mcpServers: servers } },
    });
    const stranger = join(home, 'stranger');
    await mkdir(stranger);
    await writeFile(join(stranger, '.git'), await readFile(join(worktree, '.git')));
    expect((await run(['mcp', 'list'], { cwd: stranger })).stdout).toContain('No MCP servers configured');
  });

  it('[MC869] reset-project-choices forgets what was answered about the servers of .mcp.json, and nothing else', async () => {
    const { home, project, run } = await commandHome();
    const choices = {
      enabledMcpjsonServers: ['a'],
      disabledMcpjsonServers: ['b'],
      enableAllProjectMcpServers: true,
    };
    const write = (path: string, content: object) => writeFile(path, JSON.stringify(content));
    await mkdir(join(project, '.claude'));
    await write(join(project, '.mcp.json'), { mcpServers: { a: { command: 'x' }, b: { command: 'x' } } });
    await write(join(project, '.claude/settings.local.json'), { model: 'opus', ...choices });
    const other = { '/other': choices };
    await write(join(home, '.claude.json'), {
      projects: { ...other, [project]: { ...choices, allowedTools: ['Read'] } },
      theme: 'dark',
    });
    const reset =
      'Project-scoped (.mcp.json) server approvals and rejections stored for this project have been reset.\n';
    expect(await run(['mcp', 'reset-project-choices'])).toEqual({
      code: 0,
      stdout: `${reset}Its servers will not connect before you trust this folder or approve them.\n`,
      stderr: '',
    });
    expect(await json(project, '.claude/settings.local.json')).toEqual({ model: 'opus' });
    expect(await json(home, '.claude.json')).toEqual({
      projects: { ...other, [project]: { allowedTools: ['Read'] } },
      theme: 'dark',
    });
    await mkdir(join(home, '.claude'));
    await write(join(home, '.claude/settings.json'), {
      enabledMcpjsonServers: ['a'],
      disabledMcpjsonServers: ['b'],
    });
    expect((await run(['mcp', 'reset-project-choices'])).stdout).toBe(
      `${reset}1 server (a) is still approved by other settings and will connect automatically without prompting.\n1 server (b) remains rejected by other settings and will not prompt.\n`,
    );
  });
});
