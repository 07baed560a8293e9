import { messageOf } from '@signalbox/protocol';
import type { AgentOptions } from '../command-line/agent-options.ts';
import { type McpConfig, parseMcpConfig } from '../mcp/mcp-config.ts';
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
export interface ServerPlace {
  readonly options: AgentOptions;
  readonly settings: Settings;
  readonly cwd: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onProblem: (text: string) => void;
}

/** Make known every server that is configured and may be used; of one name, the one from nearer by. */
export function gatherServers(servers: McpServers, place: ServerPlace): void {
  const { options, settings, cwd, onProblem } = place;
  if (!options.strictMcpConfig) {
    const own = options.settingSources.includes('user') ? readUserServers(place, cwd) : undefined;
    const ofProject = options.settingSources.includes('project')
      ? readProjectServers(cwd, (name) => settings.mayStartProjectServer(name))
      : undefined;
    for (const problem of [...(own?.problems ?? []), ...(ofProject?.problems ?? [])]) onProblem(problem);
    addAll(servers, own?.user, 'user', place);
    addAll(servers, ofProject?.servers, 'project', place);
    addAll(servers, own?.local, 'local', place);
  }
  addAll(servers, readMcpConfig(options.mcpConfig, cwd), 'dynamic', place);
}

/** Make known the servers of a plugin. */
export function addPluginServers(
  servers: McpServers,
  { name: plugin, mcpServers }: Plugin,
  settings: Settings,
  onProblem: (text: string) => void,
): void {
  for (const [name, value] of Object.entries(mcpServers)) {
    try {
      add(servers, name, parseMcpConfig(name, value, `plugin ${plugin}`), 'plugin', { settings, onProblem });
    } catch (error) {
      onProblem(messageOf(error));
    }
  }
}

function addAll(
  servers: McpServers,
  configs: McpConfigs | undefined,
  scope: string,
  place: Pick<ServerPlace, 'settings' | 'onProblem'>,
): void {
  for (const [name, config] of configs ?? []) add(servers, name, config, scope, place);
}

function add(
  servers: McpServers,
  name: string,
  config: McpConfig,
  scope: string,
  { settings, onProblem }: Pick<ServerPlace, 'settings' | 'onProblem'>,
): void {
  if (settings.mayUseServer(factsOf(name, config))) servers.add(name, config, scope);
  else onProblem(`The MCP server "${name}" is not used: the policy of this machine does not allow it.`);
}

/** What a policy goes by. */
function factsOf(name: string, config: McpConfig) {
  if ('command' in config) return { name, command: [config.command, ...(config.args ?? [])] };
  return 'url' in config ? { name, url: config.url } : { name };
}
