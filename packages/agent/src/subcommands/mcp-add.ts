import { isJsonObject, type JsonObject, messageOf, parseJson } from '@signalbox/protocol';
import { UsageError } from '../base/agent-errors.ts';
import { parseMcpConfig } from '../mcp/mcp-config.ts';
import type { StartContext } from '../start/start-context.ts';
import { type Scope, ScopedServers, scopeNamed } from './mcp-scopes.ts';
import { required, subArguments } from './sub-arguments.ts';

const SCOPE = { name: 'scope', takes: 'value' } as const;
const ENV = { name: 'env', takes: 'list' } as const;
const HEADER = { name: 'header', takes: 'list' } as const;
const TRANSPORT = { name: 'transport', takes: 'value' } as const;

const SECRET_HEADER = /authorization|cookie|key|password|secret|token/i;

/** `mcp add <name> <commandOrUrl> [args...]`. Gives what is printed. */
export async function addServer(argv: readonly string[], context: StartContext): Promise<string> {
  const { words, options } = subArguments(argv, {
    '-s': SCOPE,
    '--scope': SCOPE,
    '-t': TRANSPORT,
    '--transport': TRANSPORT,
    '-e': ENV,
    '--env': ENV,
    '-H': HEADER,
    '--header': HEADER,
  });
  const [name = '', target = ''] = required(words, 'name', 'commandOrUrl');
  const scope = scopeNamed(options.get('scope')?.at(-1) ?? 'local');
  const transport = options.get('transport')?.at(-1);
  const env = pairsOf(options.get('env'), '=', (text) => {
    const example = 'environment variables should be added as: -e KEY1=value1 -e KEY2=value2';
    return `Invalid environment variable format: ${text}, ${example}`;
  });
  const headers = pairsOf(options.get('header'), ':', (text) => {
    return `Invalid header format: "${text}". Expected format: "Header-Name: value"`;
  });
  const hasHeaders = Object.keys(headers).length > 0;
  const isRemote = transportNamed(transport) !== 'stdio';
  const args = words.slice(2);
  const config: JsonObject = isRemote
    ? { type: transportNamed(transport), url: target, ...(hasHeaders ? { headers } : {}) }
    : { type: 'stdio', command: target, args, env };
  const where = await put(name, config, scope, context);
  if (transport === undefined && /^https?:\/\//.test(target)) warnOfUrl(name, target);
  const what = isRemote
    ? `${String(config.type).toUpperCase()} MCP server ${name} with URL: ${target.replace(/\?.*/s, '')}`
    : `stdio MCP server ${name} with command: ${target} ${args.join(' ')}`;
  const shown = isRemote && hasHeaders ? `Headers: ${JSON.stringify(masked(headers), null, 2)}\n` : '';
  return `Added ${what} to ${scope} config\n${shown}File modified: ${where}\n`;
}

/** `mcp add-json <name> <json>`. Gives what is printed. */
export async function addServerJson(argv: readonly string[], context: StartContext): Promise<string> {
  const { words, options } = subArguments(argv, { '-s': SCOPE, '--scope': SCOPE });
  const [name = '', json = ''] = required(words, 'name', 'json');
  const scope = scopeNamed(options.get('scope')?.at(-1) ?? 'local');
  let config: unknown;
  try {
    config = parseJson(json);
  } catch (error) {
    throw new UsageError(`Invalid configuration: it is not JSON: ${messageOf(error)}`);
  }
  if (!isJsonObject(config)) throw new UsageError('Invalid configuration: it is not a JSON object');
  const { type } = parseMcpConfig(name, config, 'Invalid configuration');
  if (type === 'sdk') {
    const why = 'type "sdk" servers are registered by the host application at runtime';
    throw new UsageError(`Cannot add MCP server "${name}": ${why}, not stored in configuration`);
  }
  await put(name, type === 'stdio' ? { ...config, args: config.args ?? [] } : config, scope, context);
  return `Added ${type} MCP server ${name} to ${scope} config\n`;
}

async function put(name: string, config: JsonObject, scope: Scope, context: StartContext): Promise<string> {
  if (!/^[\w-]+$/.test(name)) {
    const rule = 'Names can only contain letters, numbers, hyphens, and underscores.';
    throw new UsageError(name === '' ? 'Error: Server name is required.' : `Invalid name ${name}. ${rule}`);
  }
  const servers = new ScopedServers(scope, context);
  if (servers.has(name)) throw new UsageError(`MCP server ${name} already exists in ${scope} config`);
  await servers.write({ ...servers.all(), [name]: config });
  return servers.where;
}

function transportNamed(name: string | undefined): 'stdio' | 'sse' | 'http' {
  if (name === undefined || name === 'stdio') return 'stdio';
  if (name === 'sse' || name === 'http') return name;
  if (name === 'streamable-http') return 'http';
  const known = 'stdio, sse, http (or streamable-http)';
  throw new UsageError(`Invalid transport type: ${name}. Must be one of: ${known}`);
}

function pairsOf(
  texts: readonly string[] | undefined,
  mark: string,
  problem: (text: string) => string,
): Record<string, string> {
  const pairs = (texts ?? []).map((text) => {
    const at = text.indexOf(mark);
    if (at < 1) throw new UsageError(problem(text));
    const value = text.slice(at + 1);
    return [text.slice(0, at).trim(), mark === ':' ? value.trim() : value] as const;
  });
  return Object.fromEntries(pairs);
}

function masked(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown = Object.entries(headers).map(
    ([name, value]) => [name, SECRET_HEADER.test(name) ? '[REDACTED]' : value] as const,
  );
  return Object.fromEntries(shown);
}

function warnOfUrl(name: string, url: string): void {
  const use = (transport: string): string =>
    `use: signalbox-agent mcp add --transport ${transport} ${name} ${url}`;
  process.stderr.write(
    `\nWarning: The command "${url}" looks like a URL, but is being interpreted as a stdio server as --transport was not specified.\nIf this is an HTTP server, ${use('http')}\nIf this is an SSE server, ${use('sse')}\n`,
  );
}
