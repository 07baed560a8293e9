import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandVariables } from '../../src/mcp/expand-variables.ts';
import { readMcpConfig, readProjectServers, readUserServers } from '../../src/mcp/read-mcp-config.ts';
import { openBench } from '../tools/tool-bench.ts';

const child = { type: 'stdio', command: 'run', args: [], env: {} };

describe('--mcp-config', () => {
  it('[MC21] takes JSON and files, of which the last wins', async () => {
    const { file, folder } = await openBench();
    await file(
      'servers.json',
      JSON.stringify({ mcpServers: { a: { command: 'run' }, b: { command: 'old' } } }),
    );
    const inline = {
      b: { command: 'new', args: ['-x'], env: { A: '1' }, unknown: true },
      web: { url: 'https://example.com/mcp', headers: { a: 'b' } },
      old: { type: 'sse', url: 'https://example.com/sse' },
      spec: { type: 'streamable-http', url: '${WHERE}', headersHelper: './token.sh' },
      lab: { type: 'sdk', name: 'lab' },
      __proto__: { command: 'not used' },
    };
    const found = readMcpConfig(['servers.json', ` ${JSON.stringify({ mcpServers: inline })}`], folder);
    expect(Object.fromEntries(found)).toEqual({
      a: child,
      b: { ...child, command: 'new', args: ['-x'], env: { A: '1' } },
      web: { type: 'http', url: 'https://example.com/mcp', headers: { a: 'b' } },
      old: { type: 'sse', url: 'https://example.com/sse', headers: {} },
      spec: { type: 'http', url: '${WHERE}', headers: {}, headersHelper: './token.sh' },
      lab: { type: 'sdk', name: 'lab' },
    });
  });

  it.for([
    ['{', '--mcp-config: it is not JSON'],
    ['{}', '--mcp-config: "mcpServers" must be an object'],
    ['nowhere.json', 'nowhere.json: it cannot be read: ENOENT'],
    ['{"mcpServers":{"a":7}}', '--mcp-config, MCP server "a": it must be an object'],
    ['{"mcpServers":{"a":{}}}', 'MCP server "a": "command" must be a text'],
    ['{"mcpServers":{"a":{"type":"http"}}}', 'MCP server "a": "url" must be a text'],
    ['{"mcpServers":{"a":{"type":"ws"}}}', '"type" must be stdio, http, sse or sdk; it is "ws"'],
    ['{"mcpServers":{"a":{"command":"x","args":"y"}}}', '"args" must be a list of texts'],
    ['{"mcpServers":{"a":{"command":"x","env":{"N":1}}}}', '"env.N" must be a text'],
    ['{"mcpServers":{"a":{"url":"x","headers":[]}}}', '"headers" must be an object of texts'],
    ['{"mcpServers":{"a":{"url":"x","headersHelper":1}}}', '"headersHelper" must be a text'],
  ] as const)('[MC21] that is wrong is named, with the field: %s', ([value, message]) => {
    expect(() => readMcpConfig([value], '/nowhere')).toThrow(message);
  });
});

describe('files with MCP servers', () => {
  it('[SB600] a folder in the place of .mcp.json is as none', async () => {
    const { folder, path } = await openBench();
    await mkdir(path('.mcp.json'));
    expect(readProjectServers(folder, () => true)).toEqual({ servers: new Map(), problems: [] });
  });

  it('[MC22] of the project are read where they are trusted; one wrong entry spoils no other', async () => {
    const { file, folder } = await openBench();
    expect(readProjectServers(folder, () => true)).toEqual({ servers: new Map(), problems: [] });
    const mcpServers = { good: { command: 'run' }, feared: { command: 'run' }, bad: { command: 1 } };
    await file('.mcp.json', JSON.stringify({ mcpServers }));
    const asked: string[] = [];
    const { servers, problems } = readProjectServers(folder, (name) => asked.push(name) === 1);
    expect(asked).toEqual(['good', 'feared']);
    expect([...servers]).toEqual([['good', child]]);
    expect(problems).toEqual([
      expect.stringContaining('.mcp.json, MCP server "bad": "command" must be a text'),
    ]);
    await file('.mcp.json', '{');
    expect(readProjectServers(folder, () => true)).toEqual({
      servers: new Map(),
      problems: [expect.stringContaining('it is not JSON')],
    });
  });

  it('[MC22] of the person are for every project, or for one', async () => {
    const { folder, session } = await openBench();
    const { home } = session;
    const settings = {
      mcpServers: { mine: { command: 'run' } },
      projects: {
        [folder]: { mcpServers: { here: { command: 'run' } } },
        '/other': { mcpServers: { x: {} } },
      },
    };
    expect(readUserServers({ home, env: {} }, folder)).toEqual({
      user: new Map(),
      local: new Map(),
      problems: [],
    });
    await writeFile(join(home, '.claude.json'), JSON.stringify(settings));
    const expected = { user: new Map([['mine', child]]), local: new Map([['here', child]]), problems: [] };
    expect(readUserServers({ home, env: {} }, folder)).toEqual(expected);
    const elsewhere = join(home, 'config');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, '.claude.json'), 'x');
    expect(readUserServers({ home, env: { CLAUDE_CONFIG_DIR: elsewhere } }, folder).problems).toEqual([
      expect.stringContaining('it is not JSON'),
    ]);
  });
});

describe('variables', () => {
  it('[MC23] are expanded everywhere, with defaults; one without a value is named', () => {
    const env = { HOST: 'example.com', EMPTY: '' };
    expect(
      expandVariables(
        'x',
        {
          type: 'stdio',
          command: '${HOME:-/root}/run',
          args: ['${HOST}', '${EMPTY:-none}', '$HOST ${1} ${}'],
          env: { A: 'a${HOST}b${HOST}', B: '${C:-}' },
        },
        env,
      ),
    ).toEqual({
      type: 'stdio',
      command: '/root/run',
      args: ['example.com', 'none', '$HOST ${1} ${}'],
      env: { A: 'aexample.combexample.com', B: '' },
    });
    const web = { type: 'http' as const, url: 'https://${HOST}/', headers: { Auth: 'Bearer ${TOKEN}' } };
    expect(() => expandVariables('x', web, env)).toThrow('MCP server "x": "headers.Auth" needs TOKEN');
    expect(expandVariables('x', web, { ...env, TOKEN: '${HOST}' })).toEqual({
      type: 'http',
      url: 'https://example.com/',
      headers: { Auth: 'Bearer ${HOST}' },
    });
  });
});
