import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@signalbox/protocol';
import { spawnTransport } from '@signalbox/transport';
import { onTestFinished } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import type { McpConfig } from '../../src/mcp/mcp-config.ts';
import { type McpParts, McpServers } from '../../src/mcp/mcp-servers.ts';
import type { ToolResult } from '../../src/tools/tool.ts';

/** Servers under test, and what they said. */
export interface McpBench {
  servers: McpServers;
  problems: string[];
  run: (name: string, input?: JsonObject, signal?: AbortSignal) => Promise<ToolResult>;
  statusOf: (name: string) => ReturnType<McpServers['statuses']>[number] | undefined;
  toolNames: () => string[];
}

/** Add servers and connect them; they end with the test. */
export async function openServers(
  configs: Record<string, McpConfig>,
  parts: Partial<McpParts> = {},
): Promise<McpBench> {
  const problems: string[] = [];
  const servers = new McpServers({
    cwd: process.cwd(),
    env: process.env,
    onProblem: (text) => problems.push(text),
    onChange: () => {},
    ...parts,
  });
  onTestFinished(() => servers.close());
  for (const [name, config] of Object.entries(configs)) servers.add(name, config, 'cli');
  await servers.connect();
  return {
    servers,
    problems,
    run: (name, input = {}, signal = new AbortController().signal) =>
      servers.call(name, input, { toolUseId: 'toolu_1', signal }),
    statusOf: (name) => servers.statuses().find((status) => status.name === name),
    toolNames: () => servers.tools().map(({ name }) => name),
  };
}

/** The first text of an answer. */
export function textOf({ content }: ToolResult): string {
  if (typeof content === 'string') return content;
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
}

const program = (name: string): string => fileURLToPath(import.meta.resolve(name));

export const EVERYTHING = program('@modelcontextprotocol/server-everything/dist/index.js');
export const FILESYSTEM = program('@modelcontextprotocol/server-filesystem/dist/index.js');

/** A server that Node runs. */
export function nodeServer(script: string, args: string[] = [], env: Record<string, string> = {}): McpConfig {
  return { type: 'stdio', command: process.execPath, args: [script, ...args], env };
}

/** The server of this folder that does odd things. */
export function oddServer(mode: string, env: Record<string, string> = {}): McpConfig {
  return nodeServer(builtProgram('packages/agent/test/mcp/odd-server.ts'), [mode], env);
}

/** Run the everything server behind a port; settles when it listens. */
export async function serveEverything(
  kind: 'sse' | 'streamableHttp',
  port: number,
): Promise<{ stop: () => Promise<void> }> {
  let listens = (): void => {};
  const listening = new Promise<void>((resolve) => {
    listens = resolve;
  });
  const child = await spawnTransport({
    command: process.execPath,
    args: [EVERYTHING, kind],
    env: { ...process.env, PORT: String(port) },
    onStderr: (text) => text.includes(`port ${port}`) && listens(),
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await child.close();
  };
  onTestFinished(stop);
  await listening;
  return { stop };
}
