import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@signalbox/protocol';
import type { DrivenAgent } from './driven-agent.ts';
import { fieldsOf, listOf } from './messages.ts';
import { call } from './prompts.ts';
import type { Stage, StartOptions } from './stage.ts';

/** A server that has everything the protocol knows, from the protocol's authors. */
export const EVERYTHING = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
);

/** That server as a child process. */
export const every = { type: 'stdio', command: process.execPath, args: [EVERYTHING, 'stdio'] };
/** A server that cannot be started. */
export const broken = { type: 'stdio', command: '/nowhere/at/all', args: [] };

/** The flags for these servers and no others. */
export function configured(servers: JsonObject): string[] {
  return ['--mcp-config', JSON.stringify({ mcpServers: servers }), '--strict-mcp-config'];
}

/** An agent with that server. */
export function withEvery(stage: Stage, { args = [], ...options }: StartOptions = {}): Promise<DrivenAgent> {
  return stage.start({ ...options, args: [...configured({ every }), ...args] });
}

/** What a host is told about a server. */
export async function statusOf(agent: DrivenAgent, name: string): Promise<JsonObject> {
  const { mcpServers } = await agent.control('mcp_status');
  return (
    listOf(mcpServers)
      .map(fieldsOf)
      .find((server) => server['name'] === name) ?? {}
  );
}

/** The prompt that has the model call that server's echo. */
export const ECHO = call('mcp__every__echo', { message: 'hello' });
