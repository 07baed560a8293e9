import { check, checkFits } from '../check.ts';
import { fieldsOf } from '../messages.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

async function fileOf(stage: Stage, path: string): Promise<Record<string, unknown>> {
  return fieldsOf(JSON.parse((await stage.read(path)) ?? '{}'));
}

export const subcommands: Part = {
  title: 'Subcommands',
  scenarios: [
    {
      name: 'without -p and without a terminal the answer is printed',
      async play(stage) {
        checkFits(await stage.run(['say hello']), { code: 0, stdout: 'hello' });
        checkFits(await stage.run([], 'say piped'), { code: 0, stdout: 'piped' });
      },
    },
    {
      name: 'a wrong command line exits with 1',
      async play(stage) {
        for (const args of [['--nonsense'], ['-p'], ['-p', '--output-format', 'yaml', 'x']])
          checkFits((await stage.run(args)).code, 1, args.join(' '));
      },
    },
    {
      name: 'mcp add keeps a local server in ~/.claude.json, by the project',
      async play(stage) {
        const args = ['mcp', 'add', 'one', '-e', 'A=1', '--', 'node', 'server.js', '--flag'];
        const { code, stdout } = await stage.run(args);
        const words = 'Added stdio MCP server one with command: node server.js --flag to local config';
        check(stdout.startsWith(words), `it says ${stdout}`);
        const one = { type: 'stdio', command: 'node', args: ['server.js', '--flag'], env: { A: '1' } };
        const { projects } = await fileOf(stage, `${stage.home}/.claude.json`);
        checkFits([code, fieldsOf(projects)[stage.folder]], [0, { mcpServers: { one } }]);
      },
    },
    {
      name: 'mcp add keeps a remote server of the project in .mcp.json, and of the person in ~/.claude.json',
      async play(stage) {
        const url = 'http://127.0.0.1:9/mcp';
        const remote = [url, '--header', 'X-A: b'];
        await stage.run(['mcp', 'add', '--transport', 'sse', '-s', 'project', 'two', ...remote]);
        await stage.run(['mcp', 'add-json', 'three', JSON.stringify({ type: 'http', url }), '-s', 'user']);
        const two = { type: 'sse', url, headers: { 'X-A': 'b' } };
        checkFits(await fileOf(stage, stage.path('.mcp.json')), { mcpServers: { two } });
        const person = await fileOf(stage, `${stage.home}/.claude.json`);
        checkFits(person['mcpServers'], { three: { type: 'http', url } });
      },
    },
    {
      name: 'mcp remove takes a server away again, and exits with 1 where there is none',
      async play(stage) {
        await stage.run(['mcp', 'add', '-s', 'project', 'two', 'node']);
        const removed = await stage.run(['mcp', 'remove', 'two']);
        checkFits(removed, { code: 0, stdout: /^Removed MCP server "two" from project config/ });
        checkFits(await fileOf(stage, stage.path('.mcp.json')), { mcpServers: {} });
        checkFits((await stage.run(['mcp', 'remove', 'two'])).code, 1);
        checkFits((await stage.run(['mcp', 'get', 'two'])).code, 1);
      },
    },
    {
      name: 'mcp add refuses a name that is there, a wrong name and a wrong scope',
      async play(stage) {
        await stage.run(['mcp', 'add', 'one', 'node']);
        checkFits(await stage.run(['mcp', 'add', 'one', 'node']), {
          code: 1,
          stderr: /already exists in local/,
        });
        checkFits(await stage.run(['mcp', 'add', 'a/b', 'node']), { code: 1, stderr: /^Invalid name a\/b/ });
        checkFits(await stage.run(['mcp', 'add', '-s', 'all', 'b', 'node']), {
          code: 1,
          stderr: /^Invalid scope: all/,
        });
      },
    },
    {
      name: 'mcp list tells which servers cannot be reached',
      async play(stage) {
        await stage.run(['mcp', 'add', 'gone', stage.elsewhere('nothing')]);
        const { code, stdout } = await stage.run(['mcp', 'list']);
        check(code === 0 && /^gone: .* - . Failed to connect/m.test(stdout), `it says ${stdout}`);
      },
    },
    {
      name: 'auth status --json tells where the credentials come from',
      misses: { '2.1.37': 'has no auth status' },
      async play(stage) {
        const { code, stdout } = await stage.run(['auth', 'status', '--json']);
        const status = { loggedIn: true, authMethod: 'api_key', apiKeySource: 'ANTHROPIC_API_KEY' };
        checkFits([code, JSON.parse(stdout)], [0, { ...status, apiProvider: 'firstParty' }]);
      },
    },
    {
      name: 'plugin list --json lists no plugin where none is installed',
      async play(stage) {
        checkFits(await stage.run(['plugin', 'list', '--json']), { code: 0, stdout: '[]' });
      },
    },
  ],
};
