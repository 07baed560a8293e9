import { isJsonObject, messageOf, spelledOut } from '@signalbox/protocol';
import { UsageError } from '../base/agent-errors.ts';
import { readCommandLine } from '../command-line/agent-options.ts';
import { type McpConfig, parseMcpConfig } from '../mcp/mcp-config.ts';
import { McpServers } from '../mcp/mcp-servers.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { StartContext } from '../start/start-context.ts';
import { SCOPE_WORDS, SCOPES, type Scope, ScopedServers } from './mcp-scopes.ts';
import { required, subArguments } from './sub-arguments.ts';

/** A server of the nearest scope that has its name. */
interface Configured {
  readonly name: string;
  readonly scope: Scope;
  readonly value: unknown;
}

/** `mcp list`. Gives what is printed. */
export async function listServers(argv: readonly string[], context: StartContext): Promise<string> {
  subArguments(argv, {});
  const servers = configured(context);
  if (servers.length === 0)
    return 'No MCP servers configured. Use `signalbox-agent mcp add` to add a server.\n';
  const health = await healthOf(servers, context);
  const lines = servers.map((server) => {
    const { state, reason } = health(server);
    return `${shown(server.name)}: ${shown(targetOf(server))} - ${state}${reason === undefined ? '' : ` — ${reason}`}\n`;
  });
  return `Checking MCP server health…\n\n${lines.join('')}`;
}

/** `mcp get <name>`. Gives what is printed. */
export async function getServer(argv: readonly string[], context: StartContext): Promise<string> {
  const [name = ''] = required(subArguments(argv, {}).words, 'name');
  const servers = configured(context);
  const server = servers.find((known) => known.name === name);
  if (!server) throw notFound(name, servers);
  const { state, reason } = (await healthOf([server], context))(server);
  const command = `signalbox-agent mcp remove ${shown(name)} -s ${server.scope}`;
  return [
    `${shown(name)}:`,
    `  Scope: ${SCOPE_WORDS[server.scope]}`,
    `  Status: ${state}`,
    ...(reason === undefined ? [] : [`  Issue: ${reason}`]),
    ...details(server).map(shown),
    '',
    `To remove this server, run: ${command}`,
    '',
  ].join('\n');
}

/** The servers that count, those of all projects first. */
export function configured(context: StartContext): Configured[] {
  const found = new Map<string, Configured>();
  for (const scope of SCOPES)
    for (const [name, value] of Object.entries(new ScopedServers(scope, context).all())) {
      found.delete(name);
      found.set(name, { name, scope, value });
    }
  return [...found.values()];
}

/** There is no server of this name; says which there are. */
export function notFound(name: string, servers: readonly { name: string }[]): UsageError {
  const names = servers.map((server) => shown(server.name)).toSorted();
  const known = names.length === 0 ? 'No servers are configured.' : `Configured servers: ${names.join(', ')}`;
  return new UsageError(`No MCP server named "${shown(name)}". ${known}`);
}

interface Health {
  readonly state: string;
  readonly reason?: string;
}

/** Connect to those that may be started, and say how that went. */
async function healthOf(
  servers: readonly Configured[],
  context: StartContext,
): Promise<(server: Configured) => Health> {
  const { cwd, env } = context;
  const settings = loadSettings({ ...context, options: readCommandLine(['-p']), onProblem: () => {} });
  Object.assign(env, settings.env);
  const connections = new McpServers({
    cwd,
    env,
    mayUse: (server) => settings.mayUseServer(server),
    onProblem: () => {},
    onChange: () => {},
  });
  const health = new Map<string, Health>();
  for (const { name, scope, value } of servers) {
    if (scope === 'project' && !settings.mayStartProjectServer(name)) {
      health.set(name, { state: '⏸ Pending approval (run `signalbox trust` to approve)' });
      continue;
    }
    try {
      const isKept = connections.add(name, parseMcpConfig(name, value, scope), scope);
      if (!isKept) health.set(name, failed('the policy of this machine does not allow it'));
    } catch (error) {
      health.set(name, failed(messageOf(error)));
    }
  }
  await connections.connect();
  for (const { name, status, error } of connections.statuses()) {
    if (status === 'connected') health.set(name, { state: '✔ Connected' });
    else if (status === 'needs-auth') health.set(name, { state: '⚠ Needs authentication' });
    else health.set(name, failed(error ?? status));
  }
  await connections.close();
  return ({ name }) => health.get(name) ?? failed('it was not tried');
}

function failed(reason: string): Health {
  return { state: '✘ Failed to connect', reason: shown(reason.replaceAll(/\s*\n\s*/g, ' ')) };
}

/** What a repository's file says must neither speak to the terminal nor pass for a line of ours. */
function shown(text: string): string {
  return spelledOut(text).replaceAll('\n', '\\n');
}

function targetOf({ name, value, scope }: Configured): string {
  const config = configOf(name, value, scope);
  if (config === undefined) return '(not a configuration)';
  if (config.type === 'stdio') return `${config.command} ${config.args.join(' ')}`;
  return config.type === 'sdk' ? '(in the host)' : `${config.url} (${config.type.toUpperCase()})`;
}

function details({ name, value, scope }: Configured): string[] {
  const config = configOf(name, value, scope);
  if (config === undefined || config.type === 'sdk') return [];
  if (config.type !== 'stdio') {
    const headers = Object.entries(config.headers).map(([header, text]) => `    ${header}: ${text}`);
    const part = headers.length > 0 ? ['  Headers:', ...headers] : [];
    return [`  Type: ${config.type}`, `  URL: ${config.url}`, ...part];
  }
  const variables = Object.entries(config.env).map(([variable, text]) => `    ${variable}=${text}`);
  const lines = ['  Type: stdio', `  Command: ${config.command}`, `  Args: ${config.args.join(' ')}`];
  return [...lines, '  Environment:', ...variables];
}

function configOf(name: string, value: unknown, scope: Scope): McpConfig | undefined {
  try {
    return isJsonObject(value) ? parseMcpConfig(name, value, scope) : undefined;
  } catch {
    return undefined;
  }
}
