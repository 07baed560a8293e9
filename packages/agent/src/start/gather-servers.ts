import { messageOf } from '@signalbox/protocol';
import type { AgentOptions } from '../command-line/agent-options.ts';
import { parseMcpConfig } from '../mcp/mcp-config.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import {
  type McpConfigs,
  readMcpConfig,
  readProjectServers,
  readUserServers,
} from '../mcp/read-mcp-config.ts';
import type { Plugin } from '../project/load-plugin.ts';
import type { Settings } from '../settings/settings.ts';

/** Where servers are looked for. */
export interface ServerSources {
  readonly options: AgentOptions;
  readonly settings: Settings;
  readonly cwd: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onProblem: (text: string) => void;
}

/** Make known every server that is configured and may be used; of one name, the one from nearer by. */
export function gatherServers(servers: McpServers, sources: ServerSources): void {
  const { options, settings, cwd, onProblem } = sources;
  if (!options.strictMcpConfig) {
    const own = options.settingSources.includes('user') ? readUserServers(sources, cwd) : undefined;
    const ofProject = options.settingSources.includes('project')
      ? readProjectServers(cwd, (name) => settings.mayStartProjectServer(name))
      : undefined;
    for (const problem of [...(own?.problems ?? []), ...(ofProject?.problems ?? [])]) onProblem(problem);
    addAll(servers, own?.user, 'user');
    addAll(servers, ofProject?.servers, 'project');
    addAll(servers, own?.local, 'local');
  }
  addAll(servers, readMcpConfig(options.mcpConfig, cwd), 'dynamic');
}

/** Make known the servers of a plugin. */
export function addPluginServers(
  servers: McpServers,
  { name: plugin, mcpServers }: Plugin,
  onProblem: (text: string) => void,
): void {
  for (const [name, value] of Object.entries(mcpServers)) {
    try {
      servers.add(name, parseMcpConfig(name, value, `plugin ${plugin}`), 'plugin');
    } catch (error) {
      onProblem(messageOf(error));
    }
  }
}

function addAll(servers: McpServers, configs: McpConfigs | undefined, scope: string): void {
  for (const [name, config] of configs ?? []) servers.add(name, config, scope);
}
