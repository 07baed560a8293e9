import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { McpPermissionTool } from '../../src/mcp/mcp-permission-tool.ts';
import { mcpResourceTools } from '../../src/mcp/mcp-resource-tools.ts';
import { openBench } from '../tools/tool-bench.ts';
import { EVERYTHING, nodeServer, oddServer, openServers, textOf } from './mcp-bench.ts';

describe('what MCP servers offer beside tools', () => {
  it('[MC18] is found and read by two tools, which are there when there are resources', async () => {
    const bench = await openBench();
    const { servers } = await openServers({ everything: nodeServer(EVERYTHING), odd: oddServer('plain') });
    const [list, read] = mcpResourceTools(servers);
    if (!list || !read) throw new Error('the tools are missing');
    expect([list.name, read.name]).toEqual(['ListMcpResourcesTool', 'ReadMcpResourceTool']);
    const uri = 'demo://resource/static/document/architecture.md';
    expect(await bench.run(list, {})).toMatchObject({
      structured: expect.arrayContaining([expect.objectContaining({ uri, server: 'everything' })]),
    });
    expect(await bench.run(list, { server: 'odd' })).toMatchObject({ structured: [] });
    await expect(bench.run(list, { server: 'x' })).rejects.toThrow('Server not found: x');
    expect(await bench.run(read, { server: 'everything', uri })).toMatchObject({
      structured: { contents: [{ uri, mimeType: 'text/markdown', text: expect.stringContaining('# ') }] },
    });
    const blob = await bench.run(read, { server: 'everything', uri: 'demo://resource/dynamic/blob/1' });
    expect(textOf(blob)).toMatch(/\d+ bytes that are not shown as text/);
    await expect(bench.run(read, { server: 'x', uri })).rejects.toThrow(
      'Server "x" not found. Available servers: everything, odd',
    );
    await expect(bench.run(read, { server: 'everything', uri: 'demo://nothing' })).rejects.toThrow(
      /MCP server "everything" says: .*demo:\/\/nothing/,
    );
    const without = await openServers({ odd: oddServer('plain') });
    expect(mcpResourceTools(without.servers)).toEqual([]);
  });

  it('[MC19] is called like a command, or told to the model', async () => {
    const { servers } = await openServers({ everything: nodeServer(EVERYTHING), odd: oddServer('plain') });
    expect(servers.prompts()).toContainEqual({
      name: 'mcp__everything__args-prompt',
      description: expect.any(String),
      arguments: [
        { name: 'city', description: expect.any(String), required: true },
        { name: 'state', description: expect.any(String), required: false },
      ],
    });
    const ask = (...words: string[]) => servers.getPrompt('mcp__everything__args-prompt', words);
    expect(await ask('Oslo')).toBe("What's weather in Oslo?");
    expect(await ask('Dallas', 'West', 'Texas')).toBe("What's weather in Dallas, West Texas?");
    await expect(ask()).rejects.toThrow('/mcp__everything__args-prompt needs <city>.');
    await expect(servers.getPrompt('mcp__x__y', [])).rejects.toThrow('There is no MCP prompt mcp__x__y.');
    expect(servers.instructions()).toMatch(/^# .*\n\n## everything\n[\s\S]+\n\n## odd\nUse me with care\.$/);
    await servers.close();
    expect(servers.instructions()).toBe('');
  });
});

describe('a permission prompt tool', () => {
  it('[MC20] answers like a host; whatever else it says is a denial', async () => {
    const { servers } = await openServers({ odd: oddServer('plain') });
    const tool = new McpPermissionTool(servers, 'mcp__odd__ask');
    const signal = new AbortController().signal;
    // The tool of this server answers with the name of the tool that it is asked about.
    const answer = (text: string, asked = tool) =>
      asked.ask({ tool_name: text, input: { a: 1 }, tool_use_id: 'toolu_2' }, signal);
    const allow = { behavior: 'allow', updatedInput: { a: 2 } };
    expect(await answer(JSON.stringify(allow))).toEqual(allow);
    const deny = { behavior: 'deny', message: 'not today' };
    expect(await answer(JSON.stringify(deny))).toEqual(deny);
    for (const text of [
      'yes',
      '"allow"',
      '{"behavior":"maybe"}',
      '{"behavior":"allow","updatedInput":"x"}',
      '{}',
    ]) {
      expect(await answer(text)).toEqual({
        behavior: 'deny',
        message: expect.stringContaining(`gave no usable answer: it must answer {"behavior":"allow"`),
      });
    }
    expect(await answer('x', new McpPermissionTool(servers, 'mcp__odd__fail'))).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('it failed: it did not work'),
    });
    expect(await answer('x', new McpPermissionTool(servers, 'mcp__odd__none'))).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('There is no MCP tool mcp__odd__none.'),
    });
    const question = { tool_name: 'x', input: {}, tool_use_id: 'toolu_3' };
    await expect(tool.ask(question, AbortSignal.abort())).rejects.toThrow('was stopped');
  });
});

describe('the MCP library', () => {
  it('[MC24] is loaded with the first server, not with the agent', async () => {
    const { metafile } = await build({
      entryPoints: [fileURLToPath(new URL('../../src/mcp/mcp-servers.ts', import.meta.url))],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      splitting: true,
      outdir: 'out',
    });
    const isLibrary = (input: string): boolean => input.includes('@modelcontextprotocol/sdk/');
    const loaded = new Set<string>(
      Object.keys(metafile.outputs).filter((path) => path.endsWith('mcp-servers.js')),
    );
    for (const path of loaded) {
      const { imports, inputs } = metafile.outputs[path] ?? { imports: [], inputs: {} };
      expect(Object.keys(inputs).filter(isLibrary)).toEqual([]);
      for (const { kind, path: next } of imports) if (kind === 'import-statement') loaded.add(next);
    }
    expect(loaded.size).toBeGreaterThan(0);
    expect(Object.keys(metafile.inputs).filter(isLibrary)).not.toEqual([]);
  });
});
